// what    load buffering with every pair of fences (LLMC thesis, B.2, table 5.2)
// why     tells models that let a store pass an earlier load
// because Three executions: each load sees 0 or 1, not both 1.
// with    -D T0=relaxed -D T1=relaxed
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=relaxed -D T1=acquire
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=relaxed -D T1=release
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=relaxed -D T1=seq_cst
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=acquire -D T1=relaxed
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=acquire -D T1=acquire
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=acquire -D T1=release
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=acquire -D T1=seq_cst
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=release -D T1=relaxed
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=release -D T1=acquire
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=release -D T1=release
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=release -D T1=seq_cst
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=seq_cst -D T1=relaxed
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=seq_cst -D T1=acquire
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=seq_cst -D T1=release
// expect  sc,tso,pso holds executions 3
// expect  nsw holds
// expect  lmo violated kind assertion
// with    -D T0=seq_cst -D T1=seq_cst
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define FENCE(order) FENCE_(order)
#define FENCE_(order) atomic_thread_fence(memory_order_##order)
#define LOAD(x) atomic_load_explicit(&x, memory_order_relaxed)
#define STORE(x, v) atomic_store_explicit(&x, v, memory_order_relaxed)

atomic_int x, y;

void *t0(void *unused) {
  (void)unused;
  int lx = LOAD(x);
  FENCE(T0);
  STORE(y, 1);
  return (void *)(intptr_t)lx;
}
void *t1(void *unused) {
  (void)unused;
  int ly = LOAD(y);
  FENCE(T1);
  STORE(x, 1);
  return (void *)(intptr_t)ly;
}
int main(void) {
  pthread_t h0, h1;
  void *r0, *r1;
  pthread_create(&h0, 0, t0, 0);
  pthread_create(&h1, 0, t1, 0);
  pthread_join(h0, &r0);
  pthread_join(h1, &r1);
  assert(!r0 || !r1);
  return 0;
}
