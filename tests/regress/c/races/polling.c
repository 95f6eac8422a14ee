// what    a flag that is polled is written by another thread, but not with the value that is waited for
// why     graphs took a blocked thread's read for none, and missed the race; a plain write races with atomic reads, too
// expect  sc,tso,armv8 holds
// expect  ra,rc11,rc20 violated kind race
// with    -D READER=1
// expect  ra,rc11,rc20 violated kind race
// with    -D ATOMIC=1
// expect  ra,rc11,rc20 violated kind race
// with    -D ATOMIC=1 -D READER=1
// expect  ra,rc11,rc20 violated kind race
// with    -D ATOMIC=2
// expect  sc,tso,armv8,ra,rc11,rc20 holds
// with    -D BEFORE
// expect  sc,tso,armv8,ra,rc11,rc20 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

#ifndef READER
#define READER 0
#endif
#ifndef ATOMIC
#define ATOMIC 0
#endif

static atomic_int flag;

static void *reader(void *unused) {
#if ATOMIC
  while (atomic_load_explicit(&flag, memory_order_acquire) != 3) {
  }
#else
  while (*(volatile int *)&flag != 3) {
  }
#endif
  return unused;
}

static void *writer(void *unused) {
#if ATOMIC == 2
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#else
  *(int *)&flag = 1;
#endif
#if ATOMIC
  atomic_store_explicit(&flag, 2, memory_order_release);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
#ifdef BEFORE
  writer(0);
  pthread_create(&t, 0, reader, 0);
#elif READER
  pthread_create(&t, 0, reader, 0);
  pthread_t u;
  pthread_create(&u, 0, writer, 0);
#else
  pthread_create(&t, 0, reader, 0);
  writer(0);
#endif
  return 0;
}
