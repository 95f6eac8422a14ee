// what    the signals that a thread blocks, and an ignored one with SA_RESETHAND
// why     the mask was always empty, an unknown request was taken, and an ignored signal was reset
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <threads.h>

int main(void) {
  struct sigaction ignored = {.sa_handler = SIG_IGN, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGUSR2, &ignored, NULL);
  assert(raise(SIGUSR2) == 0 && raise(SIGUSR2) == 0);

  sigset_t set, old;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  assert(pthread_sigmask(SIG_BLOCK, &set, &old) == 0 && !sigismember(&old, SIGUSR1));
  assert(sigprocmask(SIG_BLOCK, NULL, &old) == 0 && sigismember(&old, SIGUSR1) && !sigismember(&old, SIGUSR2));
  assert(pthread_sigmask(17, &set, NULL) == EINVAL);
  assert(sigprocmask(17, &set, NULL) == -1 && errno == EINVAL);
  assert(pthread_sigmask(SIG_UNBLOCK, &set, NULL) == 0);
  assert(pthread_sigmask(SIG_SETMASK, NULL, &old) == 0 && !sigismember(&old, SIGUSR1));

  struct timespec wrong = {.tv_nsec = -5};
  assert(thrd_sleep(&wrong, NULL) < 0);
}
