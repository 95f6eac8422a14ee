// what     a load, an access whose address depends on it and which no other thread can see, and what comes after
// why      such an access is no event of the graph, yet addr; po orders later writes (ARM, RISC-V, POWER; not rmo), and a
//          value read back depends on the address it was stored at, addr; rfi
// options  -O0
// because  load buffering: the store waits for the address of the access before it, wherever that memory is
// with     -D LB -D VIA=on_the_stack
// expect   armv8,armv8.1,riscv,power  holds
// expect   rmo  violated kind assertion
// with     -D LB -D VIA=to_the_stack
// expect   armv8,armv8.1,riscv,power  holds
// expect   rmo  violated kind assertion
// with     -D LB -D VIA=on_the_heap
// expect   armv8,armv8.1,riscv,power  holds
// expect   rmo  violated kind assertion
// with     -D LB -D VIA=of_a_constant
// expect   armv8,armv8.1,riscv,power  holds
// expect   rmo  violated kind assertion
// with     -D LB -D VIA=in_shared_memory
// expect   armv8,armv8.1,riscv,power  holds
// expect   rmo  violated kind assertion
// because  no address depends on the load
// with     -D LB -D VIA=elsewhere
// expect   armv8,armv8.1,riscv,power,rmo  violated kind assertion
// because  message passing: addr; po orders no later load on ARM; on POWER it comes before the branch of the acquire load,
//          and so before isync
// with     -D MP -D VIA=on_the_stack
// expect   armv8,armv8.1  violated kind assertion
// expect   power  holds
// with     -D MP -D VIA=on_the_heap
// expect   armv8,armv8.1  violated kind assertion
// expect   power  holds
// with     -D MP -D VIA=in_shared_memory
// expect   armv8,armv8.1  violated kind assertion
// expect   power  holds
// because  message passing: the second load's address comes from where the first one's value was the address
// with     -D READ_BACK -D VIA=on_the_stack
// expect   armv8,armv8.1,riscv,power  holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x, y, z, data[2];
int first, second;
int shared[2];
const int constant[2] = {0, 0};

#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

static void on_the_stack(int r) {
  volatile int m[2] = {0, 0};
  (void)m[r & 1];
}
static void to_the_stack(int r) {
  volatile int m[2];
  m[r & 1] = 0;
}
static void on_the_heap(int r) {
  volatile int *m = calloc(2, sizeof *m);
  (void)m[r & 1];
  free((void *)m);
}
static void of_a_constant(int r) { (void)((const volatile int *)constant)[r & 1]; }
static void in_shared_memory(int r) { (void)((volatile int *)shared)[r & 1]; }
static void elsewhere(int r) {
  volatile int m[2] = {r, r};
  (void)m[1];
}

#ifdef LB
void *one(void *unused) {
  int r = load(&x);
  VIA(r);
  store(&y, 1);
  first = r;
  return 0;
}
void *other(void *unused) {
  int r = load(&y);
  store(&x, r);
  second = r;
  return 0;
}
#define RIGHT first == 0 || second == 0
#else
void *one(void *unused) {
  store(&data[0], 1);
  atomic_thread_fence(memory_order_release);
  store(&x, 1);
  return 0;
}
void *other(void *unused) {
  int r = load(&x);
#ifdef READ_BACK
  volatile int m[2];
  m[r & 2] = 0;
  second = load(&data[m[0]]);
#else
  VIA(r);
  atomic_load_explicit(&z, memory_order_acquire);
  second = load(&data[0]);
#endif
  first = r;
  return 0;
}
#define RIGHT first == 0 || second == 1
#endif

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(RIGHT);
}
