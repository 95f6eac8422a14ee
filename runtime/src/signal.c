/* Signals that a thread raises: the handler is called in that thread, and raise returns after it. No signal comes from
 * elsewhere (kill, alarm and pthread_kill are undefined, hence UNKNOWN). The actions are the system's, which threads find
 * as the last call left them: each look is an atomic section of one access, and a full fence.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "internal.h"

struct action { /* never changes */
  void (*handler)(int);
  unsigned long mask;
  int flags;
};
static struct action *actions[_NSIG]; /* null: the default */
static _Thread_local unsigned long held; /* signals that wait for a handler of this thread to return */
static int blocked;                      /* some thread has blocked signals, with sigprocmask */

static unsigned long bit(int number) { return 1ul << (number - 1); }

void __heddle_signals_are_blocked(void) { __atomic_store_n(&blocked, 1, __ATOMIC_RELAXED); }

int sigaction(int number, const struct sigaction *restrict given, struct sigaction *restrict old) {
  if (number <= 0 || number >= _NSIG || (given && (number == SIGKILL || number == SIGSTOP))) {
    errno = EINVAL;
    return -1;
  }
  struct action *now = 0;
  if (given) {
    now = __heddle_alloc(sizeof *now, runtime_kind);
    now->handler = given->sa_handler;
    now->flags = given->sa_flags;
    memcpy(&now->mask, &given->sa_mask, sizeof now->mask);
  }
  __heddle_atomic_begin();
  const struct action *before = actions[number];
  if (given) actions[number] = now;
  __heddle_atomic_end();
  if (old) {
    memset(old, 0, sizeof *old);
    if (before) {
      old->sa_handler = before->handler;
      old->sa_flags = before->flags;
      memcpy(&old->sa_mask, &before->mask, sizeof before->mask);
    }
  }
  return 0;
}

void (*signal(int number, void (*handler)(int)))(int) {
  struct sigaction now, before;
  memset(&now, 0, sizeof now);
  now.sa_handler = handler;
  now.sa_flags = SA_RESTART;
  return sigaction(number, &now, &before) < 0 ? SIG_ERR : before.sa_handler;
}

static const struct action *action_of(int number) {
  __heddle_atomic_begin();
  const struct action *a = actions[number];
  if (a && (a->flags & SA_RESETHAND) && a->handler != SIG_IGN) actions[number] = 0;
  __heddle_atomic_end();
  return a && a->handler != SIG_DFL ? a : 0;
}

static void handle(const struct action *a, int number) {
  if (a->handler == SIG_IGN) return;
  if (a->flags & SA_SIGINFO) __heddle_unsupported("a signal handler with SA_SIGINFO");
  const unsigned long before = held;
  held |= a->mask | (a->flags & SA_NODEFER ? 0 : bit(number));
  a->handler(number);
  held = before;
}

/* abort() gives the program's handler a chance to go elsewhere. */
void __heddle_before_abort(void) {
  const struct action *a = held & bit(SIGABRT) ? 0 : action_of(SIGABRT);
  if (a) handle(a, SIGABRT);
}

int raise(int number) {
  if (number < 0 || number >= _NSIG) {
    errno = EINVAL;
    return -1;
  }
  if (number == 0) return 0;
  if ((held & bit(number)) || __atomic_load_n(&blocked, __ATOMIC_RELAXED))
    __heddle_unsupported("raise where signals are blocked");
  const struct action *a = action_of(number);
  if (a) {
    handle(a, number);
    return 0;
  }
  switch (number) {
    case SIGCHLD:
    case SIGCONT:
    case SIGURG:
    case SIGWINCH: return 0;
    case SIGSTOP:
    case SIGTSTP:
    case SIGTTIN:
    case SIGTTOU: __heddle_unsupported("a signal that stops the program");
    case SIGABRT: abort();
  }
  __heddle_fail("signal", "a signal was raised");
}
