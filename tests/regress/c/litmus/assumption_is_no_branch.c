// what    load buffering where what is loaded must fulfil an assumption, or is looked at for overflow, or is the size of an array
// why     a condition that the compiler is told to assume, or checks for us, is no branch of the program: no write waits for
//         it. Both loads see 1, as without it (armv8, power: Alglave, Maranget, Tautschnig, TOPLAS 2014, LB without
//         dependencies; a control dependency forbids it)
// expect  sc,tso,rc11 holds
// expect  armv8,riscv,power violated kind assertion at ERROR
// with    -D SIZE
// expect  sc,tso,rc11 holds
// expect  armv8,riscv,power violated kind assertion at ERROR
// with    -D SUM --property overflow
// expect  sc,tso,rc11 holds
// expect  armv8,riscv,power violated kind assertion at ERROR
// with    -D BRANCH
// expect  sc,tso,rc11,armv8,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static int pass(int value) {
#ifdef BRANCH
  if (value < 0) __builtin_unreachable();
  return value;
#elif defined SIZE
  char array[value + 1];
  (void)sizeof array;
  return value;
#elif defined SUM
  return value + value;
#else
  __builtin_assume(value >= 0);
  return value;
#endif
}

static void *first(void *unused) {
  seen_x = pass(atomic_load_explicit(&x, memory_order_relaxed));
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  seen_y = pass(atomic_load_explicit(&y, memory_order_relaxed));
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(seen_x && seen_y)); // ERROR
  return 0;
}
