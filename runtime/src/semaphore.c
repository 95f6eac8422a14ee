/* Semaphores. The word is the value, negated: a thread can wait for bits to be set, and the sign is set while the value
 * is positive. So each operation is one read-modify-write.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <limits.h>
#include <semaphore.h>
#include "internal.h"

static int *word_of(sem_t *s) { return (int *)&s->__val[0]; }
static const int sign = INT_MIN;

int sem_init(sem_t *s, int shared, unsigned value) {
  (void)shared;
  if (value > SEM_VALUE_MAX) {
    errno = EINVAL;
    return -1;
  }
  __heddle_undefine(word_of(s)); /* a thread that waits there reads a word without a value, as in sem_destroy */
  *word_of(s) = -(int)value;
  return 0;
}

/* A thread that still waits reads a word without a value. */
int sem_destroy(sem_t *s) {
  unsigned found = *(volatile unsigned *)word_of(s);
  if (!__heddle_defined((void *)(size_t)found)) MISUSE("sem_destroy of a semaphore that is not initialised");
  __heddle_undefine(word_of(s));
  return 0;
}

/* An overflowing post is undone: until then readers see the greatest value. */
int sem_post(sem_t *s) {
  if (__atomic_fetch_sub(word_of(s), 1, __ATOMIC_SEQ_CST) > -SEM_VALUE_MAX) return 0;
  __atomic_fetch_add(word_of(s), 1, __ATOMIC_SEQ_CST);
  errno = EOVERFLOW;
  return -1;
}

int sem_wait(sem_t *s) {
  __heddle_wait_add(word_of(s), sign, 1);
  return 0;
}

/* Relaxed where it fails: see pthread_mutex_trylock. */
static int take(sem_t *s) {
  int found = __atomic_load_n(word_of(s), __ATOMIC_RELAXED);
  while (found < 0)
    if (__atomic_compare_exchange_n(word_of(s), &found, found + 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) return 1;
  return 0;
}

int sem_trywait(sem_t *s) {
  if (take(s)) return 0;
  errno = EAGAIN;
  return -1;
}

/* See pthread_mutex_timedlock. */
int sem_timedwait(sem_t *restrict s, const struct timespec *restrict deadline) {
  if (take(s)) return 0;
  errno = deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000 ? EINVAL : ETIMEDOUT;
  return -1;
}

/* Not among the functions that synchronise memory (POSIX, 4.12). */
int sem_getvalue(sem_t *restrict s, int *restrict value) {
  int found = __atomic_load_n(word_of(s), __ATOMIC_RELAXED);
  *value = found < -SEM_VALUE_MAX ? SEM_VALUE_MAX : -found;
  return 0;
}
