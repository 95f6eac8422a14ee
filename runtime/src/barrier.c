/* Barriers: the last of `limit` threads to come wakes the others. No round counter, so a loop over a barrier has
 * finitely many states.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include "internal.h"
#include "waiters.h"

static unsigned long *waiters_of(pthread_barrier_t *b) { return (unsigned long *)&b->__u.__p[2]; }
static int *limit_of(pthread_barrier_t *b) { return &b->__u.__i[0]; }
static int *sign_of(pthread_barrier_t *b) { return &b->__u.__i[2]; }
enum { barrier_sign = 0x42415252 }; /* marks a barrier that is initialised and not destroyed */

int pthread_barrier_init(pthread_barrier_t *restrict b, const pthread_barrierattr_t *restrict a, unsigned limit) {
  (void)a;
  if (limit == 0 || limit > 0x7fffffff) return EINVAL;
  if (__heddle_holds(sign_of(b), ~0U, barrier_sign)) MISUSE("pthread_barrier_init of a barrier that is initialised already");
  *sign_of(b) = barrier_sign;
  *limit_of(b) = (int)limit;
  *waiters_of(b) = 0;
  return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *b) {
  if (__atomic_load_n(waiters_of(b), __ATOMIC_SEQ_CST))
    MISUSE("pthread_barrier_destroy of a barrier at which a thread waits");
  if (!__heddle_holds(sign_of(b), ~0U, barrier_sign)) MISUSE("pthread_barrier_destroy of a barrier that is not initialised");
  *sign_of(b) = 0;
  return 0;
}

int pthread_barrier_wait(pthread_barrier_t *b) {
  unsigned me = waiter_number();
  __heddle_atomic_begin();
  if (!__heddle_holds(sign_of(b), ~0U, barrier_sign)) MISUSE("pthread_barrier_wait at a barrier that is not initialised");
  int limit = *limit_of(b);
  unsigned long others = __heddle_arrive(waiters_of(b), (unsigned long)limit << 6 | me);
  int last = __builtin_popcountl(others) + 1 >= limit;
  if (last) waiters_wake(others);
  __heddle_atomic_end();
  if (last) return PTHREAD_BARRIER_SERIAL_THREAD;
  waiter_wait(me);
  return 0;
}
