// what    an execution creates a thread that the next one does not create
// why     the removed creation stayed the thread's origin, and a revisit looked its number up beyond the graph's events
// with    --engine graph --symmetry off
// expect  sc,tso,pso,ra,rc11,armv8,power,riscv,rmo holds executions 4
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y, z;
static void *late(void *unused) { y = 9; return unused; }
static void *writes_x(void *unused) { x = 1; return unused; }
static void *writes_z(void *unused) { z = 1; return unused; }
static void *chooses(void *unused) {
  pthread_t l;
  if (x == 1) {
    for (int i = 0; i < 8; ++i) y = i;
    pthread_create(&l, 0, late, 0);
    pthread_join(l, 0);
  }
  z;
  return unused;
}
int main(void) {
  pthread_t w, c, v;
  pthread_create(&w, 0, writes_x, 0);
  pthread_create(&c, 0, chooses, 0);
  pthread_create(&v, 0, writes_z, 0);
  pthread_join(w, 0);
  pthread_join(c, 0);
  pthread_join(v, 0);
}
