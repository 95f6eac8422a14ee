// what    an object whose zeroes, one store, may arrive after another thread has freed it, which has read half of them
// why     the half that nobody read was late although the other one had been seen: the trace did not replay, UNKNOWN
// expect  sc,tso holds
// expect  pso violated
// expect  armv8 violated kind use-after-free
// with    -D SEEN
// because The free comes only when the zeroes have arrived; there is one store, not two.
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

typedef _Atomic long whole;

static _Atomic(whole*) shared;
static int seen;

static void* clears(void* unused) {
  whole* n = malloc(sizeof *n);
#ifdef SEEN
  atomic_store_explicit(n, 1L << 32, memory_order_seq_cst);
  atomic_store_explicit(&shared, n, memory_order_release);
#else
  atomic_store_explicit(n, 0, memory_order_relaxed);
  atomic_exchange_explicit(&shared, n, memory_order_relaxed);
#endif
  return unused;
}

static void* frees(void* unused) {
  whole* p = atomic_load_explicit(&shared, memory_order_relaxed);
  whole* q = atomic_load_explicit(&shared, memory_order_relaxed);
  if (q) seen = atomic_load_explicit((atomic_int*)q, memory_order_relaxed);
  free(p);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, clears, 0);
  pthread_create(&b, 0, frees, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
