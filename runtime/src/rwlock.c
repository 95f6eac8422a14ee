/* Read-write locks. Readers are never kept out by waiting writers. How often each of the first sixteen threads reads is
 * kept in four bits each, so that releasing what one does not hold is found. Fifteen there means fifteen and as many more
 * as a word of the thread's own says, which nothing else accesses or initialises. The number of readers is kept beside
 * a sign, rare in uninitialised memory, while there are any.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <stdint.h>
#include "internal.h"
#include "mutex.h"

static int *writer_of(pthread_rwlock_t *l) { return &l->__u.__i[0]; }
static int *readers_of(pthread_rwlock_t *l) { return &l->__u.__i[1]; }
static uint64_t *holds_of(pthread_rwlock_t *l) { return (uint64_t *)&l->__u.__i[4]; }
enum { tracked = 16, few = 15, most = 0xffff };
enum { readers_sign = 0x52000000, readers_most = 0x00ffffff };
static const unsigned readers_sign_bits = 0xff000000;
static uint16_t *more_of(pthread_rwlock_t *l, unsigned me) { return (uint16_t *)&l->__u.__i[6] + me; }
static unsigned held_by(pthread_rwlock_t *l, unsigned me) { return *holds_of(l) >> 4 * me & few; }

/* All inside an atomic section. */
static int may_read(pthread_rwlock_t *l, unsigned me) {
  if (*readers_of(l) == readers_sign + readers_most) return 0;
  return me >= tracked || held_by(l, me) < few || *more_of(l, me) < most;
}
static void hold(pthread_rwlock_t *l, unsigned me) {
  *readers_of(l) = *readers_of(l) ? *readers_of(l) + 1 : readers_sign + 1;
  if (me >= tracked) return;
  if (held_by(l, me) == few) {
    ++*more_of(l, me);
    return;
  }
  *holds_of(l) += (uint64_t)1 << 4 * me;
  if (held_by(l, me) == few) *more_of(l, me) = 0;
}
static void release(pthread_rwlock_t *l, unsigned me) {
  *readers_of(l) = *readers_of(l) == readers_sign + 1 ? 0 : *readers_of(l) - 1;
  if (me >= tracked) return;
  if (held_by(l, me) == few && *more_of(l, me)) --*more_of(l, me);
  else *holds_of(l) -= (uint64_t)1 << 4 * me;
}

int pthread_rwlock_init(pthread_rwlock_t *restrict l, const pthread_rwlockattr_t *restrict a) {
  (void)a;
  if (__heddle_holds(writer_of(l), mutex_sign_bits, mutex_sign))
    MISUSE("pthread_rwlock_init of a lock that is held for writing");
  if (__heddle_holds(readers_of(l), readers_sign_bits, readers_sign))
    MISUSE("pthread_rwlock_init of a lock that is held for reading");
  *writer_of(l) = 0;
  *readers_of(l) = 0;
  *holds_of(l) = 0;
  return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *l) {
  __heddle_atomic_begin();
  int held = *writer_of(l) || *readers_of(l);
  __heddle_atomic_end();
  if (held) MISUSE("pthread_rwlock_destroy of a lock that is held");
  __heddle_undefine(writer_of(l));
  return 0;
}

static int read_now(pthread_rwlock_t *l) {
  unsigned me = __heddle_self();
  __heddle_atomic_begin();
  int result = *writer_of(l) ? EBUSY : may_read(l, me) ? 0 : EAGAIN;
  if (result == 0) hold(l, me);
  __heddle_atomic_end();
  return result;
}

static int write_now(pthread_rwlock_t *l) {
  __heddle_atomic_begin();
  int free = *writer_of(l) == 0 && *readers_of(l) == 0;
  if (free) *writer_of(l) = mutex_me();
  __heddle_atomic_end();
  return free ? 0 : EBUSY;
}

/* A call that fails need not synchronise (pthread_mutex_trylock), as one whose lock is found taken in a section does. */
int pthread_rwlock_tryrdlock(pthread_rwlock_t *l) {
  return __atomic_load_n(writer_of(l), __ATOMIC_RELAXED) ? EBUSY : read_now(l);
}
int pthread_rwlock_trywrlock(pthread_rwlock_t *l) {
  if (__atomic_load_n(writer_of(l), __ATOMIC_RELAXED) || __atomic_load_n(readers_of(l), __ATOMIC_RELAXED)) return EBUSY;
  return write_now(l);
}

int pthread_rwlock_rdlock(pthread_rwlock_t *l) {
  int result;
  while ((result = read_now(l)) == EBUSY) __heddle_wait_equal(writer_of(l), 0);
  return result;
}

int pthread_rwlock_wrlock(pthread_rwlock_t *l) {
  while (write_now(l)) {
    __heddle_wait_equal(writer_of(l), 0);
    __heddle_wait_equal(readers_of(l), 0);
  }
  return 0;
}

/* See pthread_mutex_timedlock. */
int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict l, const struct timespec *restrict deadline) {
  if (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000) return EINVAL;
  int result = pthread_rwlock_tryrdlock(l);
  return result == EBUSY ? ETIMEDOUT : result;
}
int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict l, const struct timespec *restrict deadline) {
  if (deadline->tv_nsec < 0 || deadline->tv_nsec >= 1000000000) return EINVAL;
  return pthread_rwlock_trywrlock(l) ? ETIMEDOUT : 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *l) {
  unsigned me = __heddle_self();
  const char *wrong = 0;
  __heddle_atomic_begin();
  if (*writer_of(l)) {
    if (*writer_of(l) != mutex_me()) wrong = "pthread_rwlock_unlock of a lock that another thread holds for writing";
    *writer_of(l) = 0;
  } else if (*readers_of(l) == 0) {
    wrong = "pthread_rwlock_unlock of a lock that is not held";
  } else {
    if (me < tracked && held_by(l, me) == 0) wrong = "pthread_rwlock_unlock of a lock that only other threads hold";
    else release(l, me);
  }
  __heddle_atomic_end();
  if (wrong) MISUSE(wrong);
  return 0;
}
