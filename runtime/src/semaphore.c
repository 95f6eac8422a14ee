/* Semaphores. `open` is one while the value is positive: a thread can wait for a word to be equal, not to be positive.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include "internal.h"

static int *value_of(sem_t *s) { return (int *)&s->__val[0]; }
static int *open_of(sem_t *s) { return (int *)&s->__val[1]; }
static int *waiting_of(sem_t *s) { return (int *)&s->__val[2]; }

int sem_init(sem_t *s, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  *value_of(s) = (int)value;
  *open_of(s) = value > 0;
  *waiting_of(s) = 0;
  return 0;
}

int sem_destroy(sem_t *s) {
  if (__atomic_load_n(waiting_of(s), __ATOMIC_SEQ_CST)) MISUSE("sem_destroy of a semaphore on which a thread waits");
  __heddle_undefine(value_of(s));
  return 0;
}

int sem_post(sem_t *s) {
  __heddle_atomic_begin();
  int full = *value_of(s) == SEM_VALUE_MAX;
  if (!full) {
    ++*value_of(s);
    *open_of(s) = 1;
  }
  __heddle_atomic_end();
  if (!full) return 0;
  errno = EOVERFLOW;
  return -1;
}

/* `change` is what becomes of the count of waiting threads if the value is taken, `stay` if it is not. */
static int take(sem_t *s, int change, int stay) {
  __heddle_atomic_begin();
  int taken = *value_of(s) > 0;
  if (taken) *open_of(s) = --*value_of(s) > 0;
  *waiting_of(s) += taken ? change : stay;
  __heddle_atomic_end();
  return taken;
}

int sem_wait(sem_t *s) {
  if (take(s, 0, 1)) return 0;
  do __heddle_wait_equal(open_of(s), 1);
  while (!take(s, -1, 0));
  return 0;
}

int sem_trywait(sem_t *s) {
  if (take(s, 0, 0)) return 0;
  errno = EAGAIN;
  return -1;
}

/* See pthread_mutex_timedlock. */
int sem_timedwait(sem_t *restrict s, const struct timespec *restrict deadline) {
  if (take(s, 0, 0)) return 0;
  errno = deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000 ? EINVAL : ETIMEDOUT;
  return -1;
}

int sem_getvalue(sem_t *restrict s, int *restrict value) {
  *value = __atomic_load_n(value_of(s), __ATOMIC_SEQ_CST);
  return 0;
}
