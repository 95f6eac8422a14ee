/* Which signals a thread blocks. None comes but those that the program raises: only raise (signal.c) need know of it, and it
 * gives up where some are blocked. A thread begins with none.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <string.h>
#include "internal.h"

WEAK void __heddle_signals_are_blocked(void);
static _Thread_local unsigned long mask;

int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  unsigned long given = 0, before = mask;
  if (set) {
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK) return EINVAL;
    memcpy(&given, set, sizeof given);
    mask = how == SIG_BLOCK ? before | given : how == SIG_UNBLOCK ? before & ~given : given;
    if (mask && __heddle_signals_are_blocked) __heddle_signals_are_blocked();
  }
  if (old) {
    sigemptyset(old);
    memcpy(old, &before, sizeof before);
  }
  return 0;
}

int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old) {
  int error = pthread_sigmask(how, set, old);
  if (!error) return 0;
  errno = error;
  return -1;
}
