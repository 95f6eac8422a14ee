// what    load buffering where what is loaded picks which object a read-modify-write goes to
// why     writes were promised to loads that they depend on, with values that grew: no end under the models of hardware
// because Which promises are left out is told, since one of them might matter.
// expect  rc11 holds
// expect  armv8,riscv,power unknown reason executions may be missing
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *shared, x[2], y[2];
static _Atomic(atomic_int*) mine[2] = {&x[0], &x[0]}, theirs[2] = {&y[0], &y[0]};
static const int steps[2] = {1, 2};

static int through_heap(int value) {
  volatile int* p = malloc(sizeof *p);
  *p = value;
  value = *p;
  free((void*)p);
  return value;
}

static int table(int value) {
  switch (value) {
    case 0: return 0;
    case 1: return 1;
    case 2: return 2;
    default: return value;
  }
}

static void* exchanges(void* unused) {
  atomic_exchange_explicit(&theirs[0], &shared[1], memory_order_relaxed);
  atomic_int* p = atomic_load_explicit(&theirs[0], memory_order_relaxed);
  int r = atomic_load_explicit(p, memory_order_relaxed);
  atomic_exchange_explicit(&y[1], through_heap(r == 0 ? 2 : 2), memory_order_relaxed);
  atomic_fetch_add_explicit(&shared[2], 1, memory_order_relaxed);
  atomic_store_explicit(&shared[0], 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  atomic_int own[2];
  shared = calloc(4, sizeof *shared);
  atomic_init(&own[0], 0);
  pthread_t t;
  pthread_create(&t, 0, exchanges, 0);
  int r = atomic_load_explicit(&shared[0], memory_order_relaxed);
  atomic_store_explicit(&mine[0], r ? &shared[2] : &x[1], memory_order_relaxed);
  atomic_int* p = atomic_exchange_explicit(&mine[0], &own[0], memory_order_relaxed);
  r = atomic_fetch_add_explicit(p, table(steps[r & 1]), memory_order_relaxed);
  atomic_store_explicit(p, r, memory_order_relaxed);
  atomic_store_explicit(&shared[1], 1, memory_order_relaxed);
  pthread_join(t, 0);
  free(shared);
  return 0;
}
