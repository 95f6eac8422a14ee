// what    a load of a thread that goes on misses the store with which a thread that was joined has ended
// why     the trace had the join before the store that it must come behind, and did not replay: UNKNOWN
// options -p assertion
// because Store buffering, where the end of `second` is ordered with nothing of `first`.
// expect  sc holds
// expect  tso,pso,ra,rc11,armv8,riscv,power violated kind assertion at ERROR
// with    -D BEHIND
// expect  sc holds
// expect  tso,pso,ra,rc11,armv8,riscv,power violated kind assertion at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z;
static int seen;

static void *first(void *unused) {
  atomic_store_explicit(&x, 2, memory_order_relaxed);
#ifdef BEHIND
  atomic_store_explicit(&z, 1, memory_order_relaxed);
#endif
  return unused;
}

static void *second(void *unused) {
  atomic_store_explicit(&y, 2, memory_order_relaxed);
  seen = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  const int found = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(b, 0);
  assert(found || seen);  // ERROR
}
