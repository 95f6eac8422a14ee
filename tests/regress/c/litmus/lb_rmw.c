// what    load buffering whose stores are relaxed read-modify-writes, or go to memory without a buffer
// why     both write past the buffer: under nsw no write, whichever way it goes, passes an older load
// because Three executions: each load sees 0 or 1, not both 1.
// with    -D 'WRITE(x)=atomic_fetch_add_explicit(&x,1,memory_order_relaxed)'
// expect  sc,tso,pso,nsw holds
// expect  lmo violated kind assertion
// with    -D 'WRITE(x)=atomic_store_explicit(&x,1,memory_order_relaxed)' --buffer 0 --engine explicit
// expect  nsw holds up-to buffer 0
// expect  lmo violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

atomic_int x, y;

void *t0(void *unused) {
  (void)unused;
  int lx = atomic_load_explicit(&x, memory_order_relaxed);
  WRITE(y);
  return (void *)(intptr_t)lx;
}
void *t1(void *unused) {
  (void)unused;
  int ly = atomic_load_explicit(&y, memory_order_relaxed);
  WRITE(x);
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
