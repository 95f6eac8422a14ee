// what    a weak compare-exchange that fails without a cause, with a stronger order than it succeeds with
// why     the search gave its load the order of success, the replay that of failure: UNKNOWN
// expect  sc,tso,armv8,armv8.1,riscv,power,rc11 holds
// with    -D SUCCESS=memory_order_acquire
// expect  armv8,armv8.1,riscv,power,rc11 holds
// with    -D CAUSE
// expect  armv8,armv8.1,riscv,power,rc11 holds
// with    -D FAILURE=memory_order_relaxed
// because The relaxed load may come before the store; instructions of armv8.1 do not fail without a cause.
// expect  armv8,riscv,power,rc11 violated kind assertion
// expect  armv8.1 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef SUCCESS
#define SUCCESS memory_order_relaxed
#endif
#ifndef FAILURE
#define FAILURE memory_order_seq_cst
#endif
#ifdef CAUSE
enum { wanted = 1 };
#else
enum { wanted = 0 };
#endif

atomic_int x, y;
int seen_x, seen_y, succeeded;

static void* loads(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_seq_cst);
  seen_x = atomic_load_explicit(&x, memory_order_seq_cst);
  return unused;
}

static void* exchanges(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_seq_cst);
  int expected = wanted;
  succeeded = atomic_compare_exchange_weak_explicit(&y, &expected, 2, SUCCESS, FAILURE);
  seen_y = expected;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, loads, 0);
  pthread_create(&b, 0, exchanges, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(seen_x == 0 && seen_y == 0 && !succeeded));
  return 0;
}
