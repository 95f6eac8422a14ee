// what    two relaxed exchanges a thread, in opposite order, each the last one of its location (2+2W)
// why     POWER commits reservations of one thread in order; nothing else here tells its read-modify-writes from plain stores
// because Three executions where it holds: two coherence orders per location, and one combination of the four is
//         forbidden.
// expect  sc,tso,pso,ra,rc11,power holds executions 3
// expect  nsw holds
// expect  rmo,armv8,riscv violated kind assertion
// with    -D PLAIN
// expect  sc,tso holds executions 3
// expect  pso,nsw,rmo,armv8,riscv,power violated kind assertion
// expect  ra,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef PLAIN
#define SET(at, value) atomic_store_explicit(at, value, memory_order_relaxed)
#else
#define SET(at, value) atomic_exchange_explicit(at, value, memory_order_relaxed)
#endif

static atomic_int x, y;

static void* other(void* unused) {
  SET(&y, 1);
  SET(&x, 2);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  SET(&x, 1);
  SET(&y, 2);
  pthread_join(t, 0);
  assert(!(x == 1 && y == 1));
  return 0;
}
