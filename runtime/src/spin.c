/* Spin locks, which do not spin here: the thread waits until the lock is free.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include "internal.h"
#include "mutex.h"

int pthread_spin_init(pthread_spinlock_t *l, int shared) {
  (void)shared;
  if (__heddle_holds((int *)l, mutex_sign_bits, mutex_sign)) MISUSE("pthread_spin_init of a lock that is held");
  *l = 0;
  return 0;
}
int pthread_spin_destroy(pthread_spinlock_t *l) {
  if (__atomic_load_n(l, __ATOMIC_SEQ_CST)) MISUSE("pthread_spin_destroy of a lock that is held");
  __heddle_undefine((int *)l);
  return 0;
}
int pthread_spin_lock(pthread_spinlock_t *l) {
  __heddle_wait_lock((int *)l, mutex_me());
  return 0;
}
int pthread_spin_trylock(pthread_spinlock_t *l) {
  int found = 0; /* see pthread_mutex_trylock */
  return __atomic_compare_exchange_n(l, &found, mutex_me(), 0, __ATOMIC_ACQUIRE, __ATOMIC_RELAXED) ? 0 : EBUSY;
}
int pthread_spin_unlock(pthread_spinlock_t *l) {
  int owner = __heddle_unlock((int *)l);
  if (owner != mutex_me())
    MISUSE(owner ? "pthread_spin_unlock of a lock that another thread holds" : "pthread_spin_unlock of a lock that is not held");
  return 0;
}
