// what    an atomic section and seq_cst accesses of another thread that is in none
// why     nothing happens between begin and end, whatever the model and whoever does it: a section is no lock that the others would
//         have to take
// options -I ../../../../include
// expect  sc,tso,pso,nsw,ra,rc11,rmo,armv8,armv8.1,riscv,power holds
// because no increment is lost
// with    -D WIDE
// expect  sc,tso,pso,nsw,ra,rc11,rmo,armv8,armv8.1,riscv,power holds
// because an operation on sixteen bytes is such a section
// with    -D ONCE
// expect  sc,tso,pso,nsw,ra,rc11,rmo,armv8,armv8.1,riscv,power holds
// because nobody sees a store that the section overwrites by an atomic operation
// with    -D TWO
// expect  sc,tso,pso,rc11,armv8,armv8.1,riscv,power holds
// because who writes x behind the section reads y behind it
// with    -D TWO -D ORDER=memory_order_relaxed
// expect  sc holds
// expect  tso,pso,rc11,rmo,armv8,armv8.1,riscv,power violated kind assertion
// because outside the section a load may overtake a store
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "heddle.h"

#ifndef ORDER
#define ORDER memory_order_seq_cst
#endif

static union {
  _Atomic unsigned __int128 whole;
  _Atomic unsigned long half[2];
} wide;
static atomic_int x, y;

static void *run(void *unused) {
#ifdef WIDE
  atomic_fetch_add(&wide.whole, 1);
#elif defined ONCE
  assert(x != 1);
#else
  heddle_atomic_begin();
#ifdef TWO
  x = 1;
  y = 1;
#else
  x = x + 1;
#endif
  heddle_atomic_end();
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
#ifdef WIDE
  atomic_fetch_add(&wide.half[0], 1);
  pthread_join(thread, 0);
  assert(wide.half[0] == 2);
#elif defined ONCE
  heddle_atomic_begin();
  x = 1;
  atomic_fetch_add(&x, 1);
  heddle_atomic_end();
  pthread_join(thread, 0);
#elif defined TWO
  atomic_store_explicit(&x, 2, ORDER);
  int seen = atomic_load_explicit(&y, ORDER);
  pthread_join(thread, 0);
  assert(x == 1 || seen == 1);
#else
  atomic_fetch_add(&x, 1);
  pthread_join(thread, 0);
  assert(x == 2);
#endif
}
