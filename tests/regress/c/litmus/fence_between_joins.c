// what    between the joins of two equal threads a release fence; a thread that acquires the flag behind them has only the
//         first of the two before it
// why     threads that differ in nothing but their place were taken for symmetric although the fence tells them apart
// expect  sc,tso,armv8 holds
// expect  rc11,rc20 violated kind assertion
// with    -D PLAIN
// expect  rc11 violated kind race
// with    -D BEHIND
// expect  rc11,rc20 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef PLAIN
int seen;
#else
atomic_int seen;
#endif
atomic_int arrived, other, flag;

static void *arrive(void *unused) {
  if (atomic_fetch_add_explicit(&arrived, 1, memory_order_relaxed) == 0) {
#ifdef PLAIN
    seen = 1;
#else
    atomic_store_explicit(&seen, 1, memory_order_relaxed);
#endif
  } else {
    atomic_store_explicit(&other, 1, memory_order_relaxed);
  }
  return unused;
}

static void *look(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(seen == 1);
  return unused;
}

int main(void) {
  pthread_t looks, first, second;
  pthread_create(&looks, 0, look, 0);
  pthread_create(&first, 0, arrive, 0);
  pthread_create(&second, 0, arrive, 0);
  pthread_join(first, 0);
#ifndef BEHIND
  atomic_thread_fence(memory_order_release);
#endif
  pthread_join(second, 0);
#ifdef BEHIND
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  return 0;
}
