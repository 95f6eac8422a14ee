// what    message passing, with every pair of fences (LLMC thesis, B.6, table 5.5)
// why     tells pso from tso, and lmo and nsw from pso
// because Three executions: each load sees 0 or 1, but not 1 and then 0.
// with    -D T0=relaxed -D T1=relaxed
// expect  sc,tso holds executions 3
// expect  pso,lmo,nsw violated kind assertion
// with    -D T0=relaxed -D T1=acquire
// expect  sc,tso holds executions 3
// expect  pso,lmo,nsw violated kind assertion
// with    -D T0=relaxed -D T1=release
// expect  sc,tso holds executions 3
// expect  pso,lmo,nsw violated kind assertion
// with    -D T0=relaxed -D T1=seq_cst
// expect  sc,tso holds executions 3
// expect  pso,lmo,nsw violated kind assertion
// with    -D T0=acquire -D T1=relaxed
// expect  sc,tso holds executions 3
// expect  pso,lmo,nsw violated kind assertion
// with    -D T0=acquire -D T1=acquire
// expect  sc,tso holds executions 3
// expect  pso,lmo,nsw violated kind assertion
// with    -D T0=acquire -D T1=release
// expect  sc,tso holds executions 3
// expect  pso,lmo,nsw violated kind assertion
// with    -D T0=acquire -D T1=seq_cst
// expect  sc,tso holds executions 3
// expect  pso,lmo,nsw violated kind assertion
// with    -D T0=release -D T1=relaxed
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw violated kind assertion
// with    -D T0=release -D T1=acquire
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=release -D T1=release
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw violated kind assertion
// with    -D T0=release -D T1=seq_cst
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=seq_cst -D T1=relaxed
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw violated kind assertion
// with    -D T0=seq_cst -D T1=acquire
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=seq_cst -D T1=release
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw violated kind assertion
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
  STORE(y, 1);
  return 0;
}
void *t1(void *unused) {
  (void)unused;
  int ly = LOAD(y);
  FENCE(T1);
  int lx = LOAD(x);
  assert(!ly || lx);
  return 0;
}
int main(void) {
  pthread_t h0, h1;
  pthread_create(&h0, 0, t0, 0);
  pthread_create(&h1, 0, t1, 0);
  pthread_join(h0, 0);
  pthread_join(h1, 0);
  return 0;
}
