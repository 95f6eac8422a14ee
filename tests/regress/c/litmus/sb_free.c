// what     store buffering with something between the store and the load that orders nothing: a free, a function that returns
//          although others know of its local variable, a printf
// why      graphs took the end of an object for a full fence, and all of these passed for safe
// options  --property assertion
// because  Three executions: each load sees 0 or 1, not both 0.
// with     -D BETWEEN=1
// expect   sc  holds executions 3
// expect   tso,pso,nsw,rmo,armv8,riscv,power  violated kind assertion
// expect   ra,rc11  violated kind assertion
// with     -D BETWEEN=2
// expect   sc  holds executions 3
// expect   tso,pso,nsw,rmo,armv8,riscv,power  violated kind assertion
// expect   ra,rc11  violated kind assertion
// with     -D BETWEEN=3
// expect   sc  holds executions 3
// expect   tso,pso,armv8,power  violated kind assertion
// expect   rc11  violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

static atomic_int x, y;
static int r[2];
static int* known[2];

#if BETWEEN == 1
static void between(int i) { free(known[i]); }
#elif BETWEEN == 2
static void between(int i) {
  int local = i;
  known[i] = &local;
}
#else
static void between(int i) { printf("%c", 'a' + i); }
#endif

static void* left(void* unused) {
  known[0] = malloc(sizeof(int));
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  between(0);
  r[0] = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void* right(void* unused) {
  known[1] = malloc(sizeof(int));
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  between(1);
  r[1] = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r[0] || r[1]);
  return 0;
}
