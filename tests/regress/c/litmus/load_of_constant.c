// what    store buffering with a sequentially consistent load of an atomic constant in between
// why     reading a constant was no access at all, and ordered nothing
// with    -D K=const
// expect  armv8,riscv,power holds
// with    -D K=
// expect  armv8,riscv,power holds
// with    -D K=const -D LOOK=memory_order_relaxed
// expect  armv8,riscv,power violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef LOOK
#define LOOK memory_order_seq_cst
#endif

static K atomic_int k;
static atomic_int x, y;
static int r1, r2;

static void *first(void *unused) {
  atomic_store(&x, 1);
  atomic_load_explicit(&k, LOOK);
  r1 = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_store(&y, 1);
  atomic_load_explicit(&k, LOOK);
  r2 = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(r1 || r2);
}
