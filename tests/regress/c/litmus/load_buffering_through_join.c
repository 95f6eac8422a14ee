// what    a cycle of program order and reads-from through a join: main writes x behind the end of a thread that reads what
//         another wrote behind its read of x
// why     the engine's order had the join before the end of the thread, so that the violation did not replay: UNKNOWN.
//         Nothing orders the relaxed accesses of `second`, so both of its reads may see main's writes; where loads
//         come before later stores they cannot
// expect  sc,tso,pso,rc11 holds
// expect  armv8,riscv,power,rmo violated kind assertion at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int seen_x, seen_y, seen_z;

static void *first(void *unused) {
  seen_y = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  seen_z = atomic_load_explicit(&z, memory_order_relaxed);
  seen_x = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&b, 0, second, 0);
  pthread_create(&a, 0, first, 0);
  pthread_join(a, 0);
  atomic_store_explicit(&z, 1, memory_order_relaxed);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_join(b, 0);
  assert(!(seen_x && seen_y && seen_z)); // ERROR
  return 0;
}
