/* Locks of several mutexes at once, for std::lock: waits until each is free, then takes all of them in one step, so
 * that it neither deadlocks nor spins. An execution in which one of them was taken in between is dropped: the same with
 * a longer wait is explored too. An implementation that backs off could make another thread's try_lock fail; no program
 * may rely on that, since try_lock may fail spuriously.
 * SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"
#include "mutex.h"

void __heddle_lock_all(pthread_mutex_t *a, pthread_mutex_t *b, pthread_mutex_t *c) {
  int me = mutex_me();
  if (a == b || a == c || b == c) { /* a mistake: one of them is never free the second time */
    __heddle_wait_lock(mutex_lock(b), me);
    __heddle_wait_lock(mutex_lock(b), me);
  }
  __heddle_wait_equal(mutex_lock(a), 0);
  __heddle_wait_equal(mutex_lock(b), 0);
  if (c) __heddle_wait_equal(mutex_lock(c), 0);
  __heddle_atomic_begin();
  int taken = __atomic_load_n(mutex_lock(a), __ATOMIC_SEQ_CST) | __atomic_load_n(mutex_lock(b), __ATOMIC_SEQ_CST);
  if (c) taken |= __atomic_load_n(mutex_lock(c), __ATOMIC_SEQ_CST);
  __heddle_assume(!taken);
  __heddle_swap(mutex_lock(a), me);
  __heddle_swap(mutex_lock(b), me);
  if (c) __heddle_swap(mutex_lock(c), me);
  __heddle_atomic_end();
}
