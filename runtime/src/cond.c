/* Condition variables. A wait enters the list of waiters and releases the mutex in one step; a signal wakes any one of
 * those that wait at that moment, never a later one (POSIX, pthread_cond_signal).
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include "internal.h"
#include "mutex.h"
#include "waiters.h"

static struct waiter **waiters_of(pthread_cond_t *c) { return (struct waiter **)&c->__u.__p[0]; }

int pthread_cond_init(pthread_cond_t *restrict c, const pthread_condattr_t *restrict a) {
  (void)a;
  *waiters_of(c) = 0;
  return 0;
}

int pthread_cond_destroy(pthread_cond_t *c) {
  if (__atomic_load_n(waiters_of(c), __ATOMIC_SEQ_CST))
    MISUSE("pthread_cond_destroy of a condition variable on which a thread waits");
  return 0;
}

/* Inside an atomic section. A recursive mutex is released once, whatever its count (POSIX leaves that undefined). */
static void release(pthread_mutex_t *m) {
  if (*mutex_lock(m) != mutex_me()) MISUSE("a condition wait with a mutex that the thread does not hold");
  *mutex_lock(m) = 0;
}

static void again(pthread_mutex_t *m) { __heddle_wait_lock(mutex_lock(m), mutex_me()); }

static __attribute__((noinline)) void wait_for_signal(pthread_cond_t *c, pthread_mutex_t *m) {
  struct waiter self;
  __heddle_atomic_begin();
  release(m);
  waiters_add(waiters_of(c), &self);
  __heddle_atomic_end();
  __heddle_wait_equal(&self.woken, 1);
  again(m);
}

/* A wait that returns unasked enters no list and needs no object of its own: a loop around it that finds nothing changed
 * is then back in the same local state, which the graph engine notices (Explorer::repeated_choice). */
int pthread_cond_wait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m) {
  if (__heddle_spurious_wakeups && __heddle_choose(2)) {
    __heddle_atomic_begin();
    release(m);
    __heddle_atomic_end();
    again(m);
  } else {
    wait_for_signal(c, m);
  }
  return 0;
}

/* The second look comes at any later time: by then a signal has come, or the deadline has passed. So nothing blocks for
 * ever that would not, and no signal is lost on a thread that gives up. */
int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                           const struct timespec *restrict deadline) {
  if (deadline && (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000)) return EINVAL;
  if (!deadline) return pthread_cond_wait(c, m);
  struct waiter self;
  int unasked = __heddle_spurious_wakeups && __heddle_choose(2);
  __heddle_atomic_begin();
  release(m);
  waiters_add(waiters_of(c), &self);
  __heddle_atomic_end();
  __heddle_atomic_begin();
  int woken = self.woken;
  if (!woken) waiters_remove(waiters_of(c), &self);
  __heddle_atomic_end();
  again(m);
  return woken || unasked ? 0 : ETIMEDOUT;
}

int pthread_cond_signal(pthread_cond_t *c) {
  __heddle_atomic_begin();
  struct waiter **at = waiters_of(c);
  unsigned count = 0;
  for (struct waiter *w = *at; w; w = w->next) count++;
  if (count) {
    unsigned chosen = count > 1 ? __heddle_choose(count) : 0;
    while (chosen--) at = &(*at)->next;
    waiters_wake(at);
  }
  __heddle_atomic_end();
  return 0;
}

int pthread_cond_broadcast(pthread_cond_t *c) {
  __heddle_atomic_begin();
  while (*waiters_of(c)) waiters_wake(waiters_of(c));
  __heddle_atomic_end();
  return 0;
}
