/* Locks of several mutexes at once, for std::lock: when each has been free, takes one after the other, so that it neither
 * deadlocks nor spins, and orders what the locks of these mutexes order. An execution in which one of them was taken in
 * between is dropped, and so is one in which the thread had to wait: the same is explored with a thread that arrives
 * later. (An atomic section would be a fence.)
 * SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"
#include "mutex.h"

static void wait_until_free(int *lock) {
  if (!__atomic_load_n(lock, __ATOMIC_RELAXED)) return;
  __heddle_wait_equal(lock, 0);
  __heddle_assume(0);
}
static void take(int *lock, int me) {
  int found = 0;
  __heddle_assume(__atomic_compare_exchange_n(lock, &found, me, 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED));
}

void __heddle_lock_all(pthread_mutex_t *a, pthread_mutex_t *b, pthread_mutex_t *c) {
  int me = mutex_me();
  if (a == b || a == c || b == c) { /* a mistake: one of them is never free the second time */
    __heddle_wait_lock(mutex_lock(b), me);
    __heddle_wait_lock(mutex_lock(b), me);
  }
  wait_until_free(mutex_lock(a));
  wait_until_free(mutex_lock(b));
  if (c) wait_until_free(mutex_lock(c));
  take(mutex_lock(a), me);
  take(mutex_lock(b), me);
  if (c) take(mutex_lock(c), me);
}
