// what    store buffering with threads and every pair of fences (LLMC thesis, B.1, table 5.1)
// why     tells tso from sc; lmo's release fence is stronger than C11's
// because Three executions: each load sees 0 or 1, not both 0.
// with    -D T0=relaxed -D T1=relaxed
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=relaxed -D T1=acquire
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=relaxed -D T1=release
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=relaxed -D T1=seq_cst
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=acquire -D T1=relaxed
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=acquire -D T1=acquire
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=acquire -D T1=release
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=acquire -D T1=seq_cst
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=release -D T1=relaxed
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=release -D T1=acquire
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=release -D T1=release
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc holds executions 3
// expect  lmo,nsw holds
// expect  tso,pso violated kind assertion
// with    -D T0=release -D T1=seq_cst
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc holds executions 3
// expect  lmo,nsw holds
// expect  tso,pso violated kind assertion
// with    -D T0=seq_cst -D T1=relaxed
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=seq_cst -D T1=acquire
// expect  sc holds executions 3
// expect  tso,pso,lmo,nsw violated kind assertion
// with    -D T0=seq_cst -D T1=release
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc holds executions 3
// expect  lmo,nsw holds
// expect  tso,pso violated kind assertion
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
  STORE(x, 1);
  FENCE(T0);
  return (void *)(intptr_t)LOAD(y);
}
void *t1(void *unused) {
  (void)unused;
  STORE(y, 1);
  FENCE(T1);
  return (void *)(intptr_t)LOAD(x);
}
int main(void) {
  pthread_t h0, h1;
  void *r0, *r1;
  pthread_create(&h0, 0, t0, 0);
  pthread_create(&h1, 0, t1, 0);
  pthread_join(h0, &r0);
  pthread_join(h1, &r1);
  assert(r0 || r1);
  return 0;
}
