// what    independent reads of independent writes, with every pair of fences (LLMC thesis, B.4, table 5.3)
// why     tells models that reorder loads; with loads in order nobody sees the writes in different orders
// because 2^4 - 1 executions: each of the four loads sees 0 or 1; one combination has the writes in different orders.
// with    -D T0=relaxed -D T2=relaxed
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=relaxed -D T2=acquire
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=relaxed -D T2=release
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=relaxed -D T2=seq_cst
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=acquire -D T2=relaxed
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=acquire -D T2=acquire
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw holds
// with    -D T0=acquire -D T2=release
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=acquire -D T2=seq_cst
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw holds
// with    -D T0=release -D T2=relaxed
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=release -D T2=acquire
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=release -D T2=release
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=release -D T2=seq_cst
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=seq_cst -D T2=relaxed
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=seq_cst -D T2=acquire
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw holds
// with    -D T0=seq_cst -D T2=release
// expect  sc,tso,pso holds executions 15
// expect  lmo,nsw violated kind assertion
// with    -D T0=seq_cst -D T2=seq_cst
// expect  sc,tso,pso holds executions 15
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
  int ly = LOAD(y);
  return (void *)(intptr_t)(lx * 10 + ly);
}
void *t1(void *unused) {
  (void)unused;
  STORE(y, 1);
  return 0;
}
void *t2(void *unused) {
  (void)unused;
  int ly = LOAD(y);
  FENCE(T2);
  int lx = LOAD(x);
  return (void *)(intptr_t)(lx * 10 + ly);
}
int main(void) {
  pthread_t h0, h1, h2;
  void *r0, *r1;
  pthread_create(&h0, 0, t0, 0);
  pthread_create(&h1, 0, t1, 0);
  pthread_create(&h2, 0, t2, 0);
  STORE(x, 1);
  pthread_join(h0, &r0);
  pthread_join(h1, 0);
  pthread_join(h2, &r1);
  assert((intptr_t)r0 != 10 || (intptr_t)r1 != 1);
  return 0;
}
