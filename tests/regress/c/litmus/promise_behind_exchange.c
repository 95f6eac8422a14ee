// what    a store that overtakes a compare-exchange, which fails in one run and writes in the other
// why     the store was known by its number among the thread's events, and an exchange that writes is two of them: the run
//         in which it writes was left out
// because Neither exchange decides what the stores behind it write, but for `second`; so first = 1 may come before both.
//         -O1, because clang branches on the result of an exchange at -O0.
// options -O 1
// expect  sc,tso,pso,rc11 holds
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), v, memory_order_relaxed)
#define EXCHANGE(a, from, to) \
  atomic_compare_exchange_strong_explicit(&(a), from, to, memory_order_relaxed, memory_order_relaxed)

static atomic_int first, result, cell = 5, second = 5;

static void *one(void *unused) {
  int expected = 1;
  const int seen = LOAD(first);
  const int written = EXCHANGE(second, &expected, 3);
  STORE(cell, 1 - seen);
  STORE(cell, 9);
  STORE(result, written);
  return unused;
}

static void *two(void *unused) {
  int expected = 0;
  const int written = EXCHANGE(cell, &expected, 7);
  STORE(first, 1);
  STORE(second, written);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(LOAD(result) != 1);
}
