// what    an atomic section that writes a pointer and then waits for a lock, beside buffered stores to an object
// why     what the section had written was in the state from which the stores were flushed: the trace did not replay
// with    --engine explicit
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);

static pthread_mutex_t held = PTHREAD_MUTEX_INITIALIZER;
static atomic_int *_Atomic box;
static int *volatile pointer;

static void *stores(void *unused) {
  atomic_int *o = malloc(2 * sizeof *o);
  box = o;
  atomic_store_explicit(o, 1, memory_order_relaxed);
  atomic_store_explicit(o + 1, 2, memory_order_relaxed);
  assert(pointer == 0);
  return unused;
}

static void *waits(void *unused) {
  __VERIFIER_atomic_begin();
  pointer = malloc(4);
  pthread_mutex_lock(&held);
  __VERIFIER_atomic_end();
  free(pointer);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_mutex_lock(&held);
  pthread_create(&a, 0, stores, 0);
  pthread_create(&b, 0, waits, 0);
  pthread_join(a, 0);
  assert(pointer == 0);
  pthread_mutex_unlock(&held);
  pthread_join(b, 0);
  return 0;
}
