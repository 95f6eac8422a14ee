/* Mutex types other than normal. That this module is linked tells mutex.c to look at them.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include "internal.h"

const int __heddle_mutex_types = 1;

int pthread_mutexattr_settype(pthread_mutexattr_t *a, int type) {
  if ((unsigned)type > 2) return EINVAL;
  a->__attr = (a->__attr & ~3U) | (unsigned)type;
  return 0;
}
/* A robust mutex can be locked after its owner has ended, which the lock word does not tell. */
int pthread_mutexattr_setrobust(pthread_mutexattr_t *a, int robust) {
  if (robust == PTHREAD_MUTEX_ROBUST) __heddle_unsupported("a robust mutex");
  return (void)a, robust == PTHREAD_MUTEX_STALLED ? 0 : EINVAL;
}
/* Priorities do not exist. */
int pthread_mutexattr_setprotocol(pthread_mutexattr_t *a, int protocol) {
  return (void)a, (unsigned)protocol > 2 ? EINVAL : 0;
}
