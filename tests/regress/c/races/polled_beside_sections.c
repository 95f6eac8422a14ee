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

static void *polls(void *unused) {
#ifdef WITHIN
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
#if defined(ATOMIC)
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
  pthread_create(&t, 0, polls, 0);
#ifdef MAIN
  writes(0);
#else
  pthread_t u;
  pthread_create(&u, 0, writes, 0);
  pthread_join(u, 0);
#endif
  pthread_join(t, 0);
}
