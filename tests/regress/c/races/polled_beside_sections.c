// what    a polled flag in a program with atomic sections, or with accesses that overlap in part
// why     graphs are executions of such programs only at their end, where the rounds in vain are gone: their races, too
// options --property race
// with    -D SECTION
// expect  ra,rc11,rc20 violated kind race
// with    -D MIXED
// expect  ra,rc11,rc20 violated kind race
// with    -D SECTION -D MAIN
// expect  ra,rc11,rc20 violated kind race
// with    -D MIXED -D MAIN
// expect  ra,rc11,rc20 violated kind race
// with    -D SECTION -D WITHIN
// expect  ra,rc11,rc20 violated kind race
// with    -D PARTS
// expect  ra,rc11,rc20 violated kind race
// with    -D PARTS -D MAIN
// expect  ra,rc11,rc20 violated kind race
// with    -D PARTS -D MAIN -D ATOMIC
// expect  ra,rc11,rc20 holds
// with    -D RWLOCK
// expect  ra,rc11,rc20 violated kind race
// with    -D SECTION -D ATOMIC
// expect  ra,rc11,rc20 holds
// with    -D MIXED -D ATOMIC
// expect  ra,rc11,rc20 holds
// with    -D MIXED -D MAIN -D ATOMIC
// expect  ra,rc11,rc20 holds
// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;
static int other;
static union {
  _Atomic long whole;
  atomic_int half;
  char bytes[8];
} parts;
static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;

static void *polls(void *unused) {
#if defined(PARTS)
  while (atomic_load_explicit(&parts.whole, memory_order_acquire) != 2) {
  }
#elif defined(RWLOCK)
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
#elif defined(WITHIN)
  while (*(volatile int *)&flag == 0) {
  }
  while (atomic_load_explicit(&flag, memory_order_acquire) != 2) {
  }
#else
  while (atomic_load_explicit(&flag, memory_order_acquire) != 2) {
  }
#endif
  return unused;
}

static void *writes(void *unused) {
#if defined(PARTS)
#ifndef ATOMIC
  parts.bytes[5] = 0;
#endif
  atomic_store_explicit(&parts.half, 2, memory_order_release);
#elif defined(RWLOCK)
  pthread_rwlock_t copy = lock;
  lock = copy;
  pthread_rwlock_unlock(&lock);
#elif defined(ATOMIC)
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#elif defined(WITHIN)
  heddle_atomic_begin();
  other = 3;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  heddle_atomic_end();
#else
  *(int *)&flag = 1;
#endif
  atomic_store_explicit(&flag, 2, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t t;
#ifdef SECTION
  heddle_atomic_begin();
  other = 1;
  other = 2;
  heddle_atomic_end();
#endif
#ifdef MIXED
  *(short *)&other = 1;
  other++;
#endif
#ifdef RWLOCK
  pthread_rwlock_wrlock(&lock);
#endif
  pthread_create(&t, 0, polls, 0);
#if defined(MAIN) || defined(RWLOCK)
  writes(0);
#else
  pthread_t u;
  pthread_create(&u, 0, writes, 0);
  pthread_join(u, 0);
#endif
  pthread_join(t, 0);
}
