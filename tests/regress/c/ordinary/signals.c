// what    signals that a thread raises: handlers run in that thread, before raise returns
// why     a handler that sets a flag, leaves by longjmp or is reset; what has no handler ends the program
// expect  sc,tso,rc11 holds
// with    -D CASE=1
// expect  sc violated kind signal at ERROR1
// with    -D CASE=2
// expect  sc violated kind abort at ERROR2
// with    -D CASE=3
// expect  sc violated kind abort at ERROR3
// with    -D CASE=4
// expect  sc holds
// with    -D CASE=5
// expect  sc violated kind signal at ERROR5
// with    -D CASE=6
// expect  sc unknown reason raise where signals are blocked
// with    -D CASE=7
// expect  sc unknown reason SA_SIGINFO
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static volatile sig_atomic_t got, count;
static jmp_buf back;

static void note(int number) {
  got = number;
  count++;
}
static void leave(int number) {
  (void)number;
  longjmp(back, 1);
}
static void raise_again(int number) { raise(number); }
static void raises_other(int number) {
  raise(SIGUSR2);
  got = number;
}
static void gets_more(int number, siginfo_t *info, void *context) { (void)number, (void)info, (void)context; }

static _Thread_local int mine;
static void set_mine(int number) { mine = number; }
static void *run(void *unused) {
  raise(SIGUSR1);
  assert(mine == SIGUSR1);
  return unused;
}

int main(void) {
#if CASE == 1
  raise(SIGTERM); // ERROR1
#elif CASE == 2
  signal(SIGABRT, note);
  abort(); // ERROR2
#elif CASE == 3
  raise(SIGABRT); // ERROR3
#elif CASE == 4
  signal(SIGABRT, leave);
  if (setjmp(back) == 0) abort();
  signal(SIGABRT, SIG_IGN);
#elif CASE == 5
  struct sigaction once;
  memset(&once, 0, sizeof once);
  once.sa_handler = note;
  once.sa_flags = SA_RESETHAND;
  sigaction(SIGUSR1, &once, 0);
  raise(SIGUSR1);
  assert(count == 1);
  raise(SIGUSR1); // ERROR5
#elif CASE == 6
  signal(SIGUSR1, raise_again);
  raise(SIGUSR1);
#elif CASE == 7
  struct sigaction more;
  memset(&more, 0, sizeof more);
  more.sa_sigaction = gets_more;
  more.sa_flags = SA_SIGINFO;
  sigaction(SIGUSR1, &more, 0);
  raise(SIGUSR1);
#else
  assert(signal(SIGUSR1, note) == SIG_DFL);
  assert(raise(SIGUSR1) == 0 && got == SIGUSR1 && count == 1);
  assert(signal(SIGUSR1, SIG_IGN) == note);
  assert(raise(SIGUSR1) == 0 && count == 1);
  assert(raise(SIGCHLD) == 0 && raise(0) == 0);
  assert(raise(1000) == -1 && errno == EINVAL);
  assert(signal(SIGKILL, note) == SIG_ERR);
  struct sigaction old;
  assert(sigaction(SIGUSR1, 0, &old) == 0 && old.sa_handler == SIG_IGN);
  signal(SIGUSR2, note);
  signal(SIGUSR1, raises_other);
  raise(SIGUSR1);
  assert(count == 2 && got == SIGUSR1);
  signal(SIGUSR1, set_mine);
  pthread_t t;
  pthread_create(&t, 0, run, 0);
  pthread_join(t, 0);
  assert(mine == 0);
#endif
  return 0;
}
