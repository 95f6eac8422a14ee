/* Mutexes. The lock word holds the owner (mutex_me) or zero. A program that never asks for a type other than normal
 * (mutex_type.c is then not linked) locks and unlocks in one step each; the types are looked at only where they exist.
 * Locking a normal mutex twice blocks: it is found as a deadlock, as it would be one.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include "internal.h"
#include "mutex.h"

int pthread_mutex_init(pthread_mutex_t *restrict m, const pthread_mutexattr_t *restrict a) {
  if (__heddle_holds(mutex_lock(m), mutex_sign_bits, mutex_sign)) MISUSE("pthread_mutex_init of a mutex that is locked");
  /* Plain stores, and no more than needed: a mutex that is published too early is an error to be found. */
  *mutex_type(m) = a ? (int)(a->__attr & 3) : PTHREAD_MUTEX_NORMAL;
  *mutex_lock(m) = 0;
  *mutex_count(m) = 0;
  return 0;
}

int pthread_mutex_destroy(pthread_mutex_t *m) {
  if (__atomic_load_n(mutex_lock(m), __ATOMIC_SEQ_CST)) MISUSE("pthread_mutex_destroy of a mutex that is locked");
  __heddle_undefine(mutex_lock(m));
  return 0;
}

int pthread_mutex_lock(pthread_mutex_t *m) {
  int me = mutex_me();
  int type = type_of(m);
  if (type != PTHREAD_MUTEX_NORMAL && __atomic_load_n(mutex_lock(m), __ATOMIC_RELAXED) == me) {
    if (type == PTHREAD_MUTEX_ERRORCHECK) return EDEADLK;
    if (*mutex_count(m) == 0x7fffffff) return EAGAIN;
    ++*mutex_count(m);
    return 0;
  }
  __heddle_wait_lock(mutex_lock(m), me);
  return 0;
}

/* Whether a call that fails synchronises memory is unspecified (POSIX, 4.12), and C11 promises it for success only. */
int pthread_mutex_trylock(pthread_mutex_t *m) {
  int found = 0;
  int me = mutex_me();
  if (__atomic_compare_exchange_n(mutex_lock(m), &found, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED)) return 0;
  if (found != me || type_of(m) != PTHREAD_MUTEX_RECURSIVE) return EBUSY;
  if (*mutex_count(m) == 0x7fffffff) return EAGAIN;
  ++*mutex_count(m);
  return 0;
}

/* A wait with a deadline takes the lock or times out when it is scheduled: being scheduled later is the waiting. */
int pthread_mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict deadline) {
  if (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000) return EINVAL;
  int me = mutex_me();
  if (type_of(m) == PTHREAD_MUTEX_ERRORCHECK && __atomic_load_n(mutex_lock(m), __ATOMIC_RELAXED) == me) return EDEADLK;
  int result = pthread_mutex_trylock(m);
  return result == EBUSY ? ETIMEDOUT : result;
}

int pthread_mutex_unlock(pthread_mutex_t *m) {
  int me = mutex_me();
  if (type_of(m) != PTHREAD_MUTEX_NORMAL) {
    if (__atomic_load_n(mutex_lock(m), __ATOMIC_RELAXED) != me) return EPERM;
    if (*mutex_count(m)) {
      --*mutex_count(m);
      return 0;
    }
  }
  int owner = __heddle_unlock(mutex_lock(m));
  if (owner == 0) MISUSE("pthread_mutex_unlock of a mutex that is not locked");
  if (owner != me) MISUSE("pthread_mutex_unlock of a mutex that another thread holds");
  return 0;
}
