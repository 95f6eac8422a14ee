/* Condition variables. A wait enters the list of waiters and releases the mutex in one step; a signal wakes any one of
 * those that wait at that moment, never a later one (POSIX, pthread_cond_signal).
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include "internal.h"
#include "mutex.h"
#include "waiters.h"

static unsigned long *waiters_of(pthread_cond_t *c) { return (unsigned long *)&c->__u.__p[0]; }
static int *sign_of(pthread_cond_t *c) { return &c->__u.__i[2]; }
enum { cond_sign = 0x434f4e44 }; /* marks a condition variable that has been initialised; PTHREAD_COND_INITIALIZER has it */

/* The word has no value before the condition variable is initialised and after it is destroyed. */
static unsigned long valid(unsigned long waiters) {
  if (!__heddle_defined((void *)waiters)) MISUSE("use of a condition variable that is not initialised");
  return waiters;
}

int pthread_cond_init(pthread_cond_t *restrict c, const pthread_condattr_t *restrict a) {
  (void)a;
  if (__heddle_holds(sign_of(c), ~0U, cond_sign)) {
    unsigned long waiters = *(volatile unsigned long *)waiters_of(c);
    if (__heddle_defined((void *)waiters) && waiters)
      MISUSE("pthread_cond_init of a condition variable on which a thread waits");
  }
  *waiters_of(c) = 0;
  *sign_of(c) = cond_sign;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *c) {
  if (valid(__atomic_load_n(waiters_of(c), __ATOMIC_SEQ_CST)))
    MISUSE("pthread_cond_destroy of a condition variable on which a thread waits");
  __heddle_undefine((int *)waiters_of(c));
  __heddle_undefine((int *)waiters_of(c) + 1);
  return 0;
}

/* Inside an atomic section. A recursive mutex is unlocked once and stays locked if it was locked more often. */
static void release(pthread_mutex_t *m) {
  if (*mutex_lock(m) != mutex_me()) MISUSE("a condition wait with a mutex that the thread does not hold");
  if (type_of(m) == PTHREAD_MUTEX_RECURSIVE && *mutex_count(m))
    --*mutex_count(m);
  else
    *mutex_lock(m) = 0;
}

static void again(pthread_mutex_t *m) {
  if (type_of(m) == PTHREAD_MUTEX_RECURSIVE && __atomic_load_n(mutex_lock(m), __ATOMIC_RELAXED) == mutex_me())
    ++*mutex_count(m);
  else
    __heddle_wait_lock(mutex_lock(m), mutex_me());
}

static int not_permitted(pthread_mutex_t *m) {
  return type_of(m) == PTHREAD_MUTEX_ERRORCHECK && __atomic_load_n(mutex_lock(m), __ATOMIC_RELAXED) != mutex_me();
}

/* The thread enters the list before it releases the mutex: so in an execution graph, too, that precedes every later
 * lock of the mutex in happens-before, and no such lock can be ordered first. */
static void begin_to_wait(pthread_cond_t *c, pthread_mutex_t *m, unsigned me) {
  __heddle_atomic_begin();
  valid(__atomic_fetch_or(waiters_of(c), waiter_bit(me), __ATOMIC_SEQ_CST));
  release(m);
  __heddle_atomic_end();
}

__attribute__((noinline)) void __heddle_cond_wait(pthread_cond_t *c, pthread_mutex_t *m) {
  unsigned me = waiter_number();
  begin_to_wait(c, m, me);
  waiter_wait(me);
  again(m);
}

int __heddle_wakes_unasked(void) { return __heddle_spurious_wakeups && __heddle_choose(2); }

/* A wait that returns spuriously enters no list and needs no object of its own: a loop around it that finds nothing
 * changed is then back in the same local state, which the graph engine notices (graph/spinloops.h). */
static int returns_unasked(pthread_mutex_t *m) {
  if (!__heddle_wakes_unasked()) return 0;
  __heddle_atomic_begin();
  release(m);
  __heddle_atomic_end();
  again(m);
  return 1;
}

int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m) {
  if (not_permitted(m)) return EPERM;
  if (!returns_unasked(m)) __heddle_cond_wait(c, m);
  return 0;
}

/* The second check comes at any later time: by then a signal has come, or the deadline has passed. So nothing blocks
 * for ever that would not otherwise, and no signal is lost on a thread that times out. Whoever woke the thread may have
 * destroyed the condition variable since. */
int __heddle_cond_timedwait(pthread_cond_t *c, pthread_mutex_t *m) {
  unsigned me = waiter_number();
  begin_to_wait(c, m, me);
  __heddle_atomic_begin();
  int woken = __heddle_woken[me];
  if (!woken) __atomic_fetch_and(waiters_of(c), ~waiter_bit(me), __ATOMIC_SEQ_CST);
  __heddle_atomic_end();
  if (woken) waiter_wait(me);
  again(m);
  return woken;
}

int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                           const struct timespec *restrict deadline) {
  if (deadline && (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000)) return EINVAL;
  if (!deadline) return pthread_cond_wait(c, m);
  if (not_permitted(m)) return EPERM;
  return returns_unasked(m) || __heddle_cond_timedwait(c, m) ? 0 : ETIMEDOUT;
}

/* The exchange cannot fail: no other thread writes the word in between. In an execution graph in which another write
 * comes in between in coherence order it is not enabled (graph/atomic_steps.h). */
int pthread_cond_signal(pthread_cond_t *c) {
  __heddle_atomic_begin();
  unsigned long waiters = valid(__atomic_load_n(waiters_of(c), __ATOMIC_SEQ_CST)), chosen = waiters;
  if (waiters) {
    unsigned count = (unsigned)__builtin_popcountl(waiters);
    for (unsigned n = count > 1 ? __heddle_choose(count) : 0; n; n--) chosen &= chosen - 1;
    chosen &= -chosen;
    __heddle_wait_cas_long(waiters_of(c), waiters, waiters & ~chosen);
    waiters_wake(chosen);
  }
  __heddle_atomic_end();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *c) {
  __heddle_atomic_begin();
  waiters_wake(valid(__atomic_exchange_n(waiters_of(c), 0, __ATOMIC_SEQ_CST)));
  __heddle_atomic_end();
  return 0;
}
