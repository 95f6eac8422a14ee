// what    two threads that each write one more than they read of the other's variable
// why     where reads may see writes that come later, every round found larger numbers, without end; with -D THROUGH a value goes
// because Three executions: each load sees the initial value or the other store, not both the store (load buffering).
//         through a variable of the thread's own on its way
// expect  sc,tso,pso,ra,rmo,rc11,armv8,riscv,power holds executions 3
// expect  nsw holds
// with    -D THROUGH
// expect  sc,tso,pso,ra,rmo,rc11,armv8,riscv,power holds executions 3
// expect  nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, own;

static void* other(void* unused) {
  atomic_store_explicit(&x, atomic_load_explicit(&y, memory_order_relaxed) + 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  int seen = atomic_load_explicit(&x, memory_order_relaxed);
#ifdef THROUGH
  atomic_store_explicit(&own, seen, memory_order_relaxed);
  seen = atomic_load_explicit(&own, memory_order_relaxed);
#endif
  atomic_store_explicit(&y, seen + 1, memory_order_relaxed);
  pthread_join(t, 0);
  assert((x == 1 && y == 1) || (x == 1 && y == 2) || (x == 2 && y == 1));
  return 0;
}
