// what     message passing and load buffering where what is accessed or stored is selected by the value of the first load
// why      processors do that by a selecting instruction or a branch, which keep no later load in order, but a store that
//          depends on it; a computed address keeps both
// options  -O0
// with     -D HOW=selected
// expect   armv8,armv8.1,riscv,power violated kind assertion
// expect   sc,tso holds
// with     -D HOW=compared
// expect   armv8,armv8.1,riscv,power violated kind assertion
// with     -D HOW=computed
// expect   armv8,armv8.1,riscv,power holds
// with     -D STORES -D HOW=selected
// expect   armv8,armv8.1,riscv,power holds
// with     -D STORES -D HOW=compared
// expect   armv8,armv8.1,riscv,power holds
// with     -D STORES -D HOW=nothing
// expect   armv8,armv8.1,riscv,power violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x[2], y;
int first, second;

#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

// Each is x[0] if r is 1.
static atomic_int *selected(int r) { return r == 1 ? &x[0] : &x[1]; }
static atomic_int *compared(int r) { return &x[r != 1]; }
static atomic_int *computed(int r) { return &x[1 - r]; }
static atomic_int *nothing(int r) { return &x[0]; }

#ifdef STORES
static void *other(void *unused) {
  second = load(&x[0]);
  store(&y, second);
  return unused;
}
#else
static void *other(void *unused) {
  store(&x[0], 1);
  atomic_store_explicit(&y, 1, memory_order_release);
  return unused;
}
#endif

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  first = load(&y);
  atomic_int *p = HOW(first);
#ifdef STORES
  store(p, 1);
  pthread_join(t, 0);
  assert(!(first == 1 && second == 1));
#else
  second = load(p);
  assert(!(first == 1 && second == 0));
  pthread_join(t, 0);
#endif
  return 0;
}
