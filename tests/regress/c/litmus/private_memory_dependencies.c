// what     load buffering where the value stored went through memory that only its thread can reach
// why      a dependency through such memory is that of the bytes read, of what was last stored there: neither one of
//          their neighbours, nor one that was overwritten; jumps and comparisons hand theirs on
// because  without a dependency a thread's load and store change places; with one in both threads they cannot
// options  -O0
// with     -D VIA=neighbour
// expect   armv8,armv8.1,riscv,power,rmo  violated kind assertion
// with     -D VIA=overwritten
// expect   armv8,armv8.1,riscv,rmo  violated kind assertion
// with     -D VIA=neighbour_on_the_heap
// expect   armv8,armv8.1,riscv,power,rmo  violated kind assertion
// because  power keeps accesses of one location in order as they are committed, and so what the first one depends on
//          before what depends on the last one
// with     -D VIA=overwritten_on_the_heap
// expect   armv8,armv8.1,riscv,rmo  violated kind assertion
// expect   power  holds
// with     -D VIA=overwritten_in_the_thread
// expect   armv8,armv8.1,riscv,rmo  violated kind assertion
// expect   power  holds
// because  a dependency goes through memory
// with     -D VIA=on_the_heap
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=half_of_it
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=beside_another
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=variable_arguments
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=jump
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=comparison
// expect   armv8,armv8.1,riscv,power,rmo  holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x, y, z;
int first, second;

#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

// Each returns 0 if r is 0 or 1, as the compiler does not know.
static int neighbour(int r) {
  volatile int m[2];
  m[0] = r & 4;
  m[1] = 0;
  return m[1];
}
static int overwritten(int r) {
  volatile int m[2];
  m[0] = r & 4;
  m[0] = 0;
  return m[0];
}
static int neighbour_on_the_heap(int r) {
  int *m = malloc(2 * sizeof *m);
  m[0] = r & 4;
  m[1] = 0;
  const int v = m[1];
  free(m);
  return v;
}
static int overwritten_on_the_heap(int r) {
  int *m = malloc(2 * sizeof *m);
  m[0] = r & 4;
  m[0] = 0;
  const int v = m[0];
  free(m);
  return v;
}
static int overwritten_in_the_thread(int r) {
  static _Thread_local int m;
  m = r & 4;
  m = 0;
  return m;
}
static int on_the_heap(int r) {
  int *m = malloc(2 * sizeof *m);
  m[0] = r & 4;
  m[1] = 0;
  const int v = m[0];
  free(m);
  return v;
}
static int half_of_it(int r) {
  volatile union {
    long whole;
    int half[2];
  } m;
  m.whole = r & 4;
  return m.half[0];
}
static int beside_another(int r) {
  volatile int m[2];
  m[0] = r & 4;
  m[1] = 0;
  return m[0];
}
__attribute__((noinline)) static int last_of(int n, ...) {
  va_list list;
  va_start(list, n);
  int v = 0;
  while (n-- > 0) v = va_arg(list, int);
  va_end(list);
  return v;
}
static int variable_arguments(int r) { return last_of(2, 7, r & 4); }
static int jump(int r) {
  jmp_buf back;
  int v = setjmp(back);
  if (v == 0) longjmp(back, 1 + (r & 4));
  return v - 1;
}
static int comparison(int r) {
  int expected = 1 + (r & 4);
  return atomic_compare_exchange_strong_explicit(&z, &expected, 2, memory_order_relaxed, memory_order_relaxed);
}

void *one(void *unused) {
  int r = load(&x);
  store(&y, 1 + VIA(r));
  first = r;
  return 0;
}

void *other(void *unused) {
  int r = load(&y);
  store(&x, r);
  second = r;
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(first == 0 || second == 0);
}
