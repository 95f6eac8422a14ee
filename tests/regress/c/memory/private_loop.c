// what    a thread writes to an object of its own a thousand times, between a store and a load that others see
// why     stores to an object that nobody else can reach fill no buffer, so the loop costs no states
// because Store buffering, and nothing else: 0, 0 is an outcome under tso and pso only. Before such stores slept, each of
// because the four words had a number of pending stores of its own under pso: 1.5 million states.
// with    -D CLAIM --engine explicit
// expect  sc holds
// expect  tso,pso violated kind assertion at ERROR
// with    --engine explicit
// expect  sc holds
// expect  tso,pso holds up-to buffer 5
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int x, y;
static int first, second;

static void *fill(void *argument) {
  int *own = malloc(4 * sizeof *own);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  for (int i = 0; i < 1000; ++i) own[i % 4] = i;
  first = atomic_load_explicit(&y, memory_order_relaxed);
  assert(own[3] == 999);
  free(own);
  return NULL;
}

static void *look(void *argument) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  second = atomic_load_explicit(&x, memory_order_relaxed);
  return NULL;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, fill, NULL);
  pthread_create(&b, NULL, look, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
#ifdef CLAIM
  assert(first || second);  // ERROR
#endif
  return 0;
}
