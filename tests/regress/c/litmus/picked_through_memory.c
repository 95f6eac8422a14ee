// what     load buffering where a selected value goes through memory that other threads may reach
// why      what decides a selection comes before the stores that depend on it, also where the value was stored and read
//          back before; that held in memory of the thread's own only: false alarms under armv8 and riscv
// options  -O0
// with     -D VIA=in_static
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=in_the_thread
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=on_the_heap
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=exchanged
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=compared
// expect   armv8,armv8.1,riscv,power,rmo  holds
// with     -D VIA=as_address
// expect   armv8,armv8.1,riscv,power,rmo  holds
// because  what was overwritten, what stands beside it, what was not stored and what a new object of the same place has
//          depends on nothing
// with     -D VIA=overwritten
// expect   armv8,armv8.1,riscv,rmo  violated kind assertion
// with     -D VIA=locked_over
// expect   armv8,armv8.1  violated kind assertion
// with     -D VIA=neighbour
// expect   armv8,armv8.1,riscv,power,rmo  violated kind assertion
// with     -D VIA=not_stored
// expect   armv8,riscv  violated kind assertion
// with     -D VIA=new_object
// expect   armv8,armv8.1,riscv,power,rmo  violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define load(p) atomic_load_explicit(p, memory_order_relaxed)
#define store(p, v) atomic_store_explicit(p, v, memory_order_relaxed)

static atomic_int x, y;
static int first, second;
static int cell, pair[2];
static atomic_int word;
static _Thread_local int own;
static pthread_spinlock_t lock;

// Each returns 0 if r is 0 or 1, as the compiler does not know.
static int in_static(int r) {
  cell = r > 5;
  return cell;
}
static int in_the_thread(int r) {
  own = r > 5;
  return own;
}
static int on_the_heap(int r) {
  int *m = malloc(sizeof *m);
  *m = r > 5;
  const int v = *m;
  free(m);
  return v;
}
static int exchanged(int r) {
  atomic_exchange_explicit(&word, r > 5, memory_order_relaxed);
  return load(&word);
}
static int compared(int r) {
  int expected = 0;
  atomic_compare_exchange_strong_explicit(&word, &expected, r > 5, memory_order_relaxed, memory_order_relaxed);
  return load(&word);
}
static int as_address(int r) {
  static int *pointer, zeros[2];
  pointer = &zeros[r > 5];
  return *pointer;
}
static int overwritten(int r) {
  cell = r > 5;
  cell = 0;
  return cell;
}
static int locked_over(int r) {
  store((atomic_int *)&lock, r > 5);
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
  return load((atomic_int *)&lock);
}
static int neighbour(int r) {
  pair[0] = r > 5;
  return pair[1];
}
static int not_stored(int r) {
  int expected = 7;
  atomic_compare_exchange_strong_explicit(&word, &expected, r > 5, memory_order_relaxed, memory_order_relaxed);
  return load(&word);
}
static int fill(int v) {
  volatile int m = v;
  return m - v;
}
static int new_object(int r) {
  fill(r > 5);
  return fill(0);
}

static void *one(void *unused) {
  const int r = load(&x);
  store(&y, 1 + VIA(r));
  first = r;
  return unused;
}

static void *other(void *unused) {
  const int r = load(&y);
  store(&x, r);
  second = r;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, other, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(first == 0 || second == 0);
}
