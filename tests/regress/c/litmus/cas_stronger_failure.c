// what     a compare-exchange whose failure order is stronger than its success order (allowed since C17)
// why      that it acquires if it fails must not forbid the executions in which it succeeds: the store-release is ordered
//          before its read only if it fails
// expect   armv8,armv8.1 violated kind assertion
// expect   tso violated kind assertion
// expect   sc holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y;
int missed, wrote;

static void *one(void *unused) {
  atomic_store_explicit(&y, 2, memory_order_release);
  missed = atomic_load_explicit(&x, memory_order_seq_cst) == 0;
  return unused;
}

static void *other(void *unused) {
  int expected = 0;
  atomic_store_explicit(&x, 3, memory_order_release);
  wrote = atomic_compare_exchange_strong_explicit(&y, &expected, 1, memory_order_relaxed, memory_order_acquire);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(wrote && missed && y == 2));
  return 0;
}
