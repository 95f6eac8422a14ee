// what    an object that another thread frees behind a release store to it while one reads what was stored before that
// why     a free did not follow the stores before a release in the search, but in the replay: UNKNOWN
// expect  sc,tso,pso,nsw,armv8,rc11 violated
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(atomic_int *) shared;
static int seen;

static void *publishes(void *unused) {
  atomic_int *n = calloc(2, sizeof *n);
  atomic_store_explicit(&shared, n, memory_order_release);
  seen = atomic_load_explicit(n, memory_order_relaxed);
  return unused;
}

static void *frees(void *unused) {
  atomic_int *p = atomic_load_explicit(&shared, memory_order_acquire);
  if (p) {
    atomic_store_explicit(p, 2, memory_order_relaxed);
    atomic_store_explicit(p + 1, 3, memory_order_release);
  }
  free(p);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, publishes, 0);
  pthread_create(&b, 0, frees, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
