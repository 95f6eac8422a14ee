// what    message passing with a calculation on the flag between the loads, with every pair of fences (LLMC thesis, B.7, table 5.6)
// why     under lmo a local operation waits for its operands, and so orders loads that only need not be
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
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=release -D T1=acquire
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=release -D T1=release
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=release -D T1=seq_cst
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=seq_cst -D T1=relaxed
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=seq_cst -D T1=acquire
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=seq_cst -D T1=release
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// with    -D T0=seq_cst -D T1=seq_cst
// expect  sc,tso,pso holds executions 3
// expect  lmo,nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <heddle.h>
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
  ly = (int)heddle_opaque(ly + 1);
  int lx = LOAD(x);
  ly = (int)heddle_opaque(ly - 1);
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
