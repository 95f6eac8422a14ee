// what    a store and a load, neither ordered, on both sides of an atomic section of another thread
// why     with the section as one step the execution in which x = 2 is the last store and 0 is read from y is not one of sequential
//         consistency; with its two stores apart it would be
// options -I ../../../../include --property robust
// expect  sc holds
// expect  tso,pso,rc11,armv8 violated kind robustness
// with    -D ORDER=memory_order_seq_cst
// expect  sc,tso,pso,rc11,armv8 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

#include "heddle.h"

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static atomic_int x, y;

static void *section(void *unused) {
  heddle_atomic_begin();
  x = 1;
  y = 1;
  heddle_atomic_end();
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, section, 0);
  atomic_store_explicit(&x, 2, ORDER);
  int seen = atomic_load_explicit(&y, ORDER);
  pthread_join(thread, 0);
  return seen;
}
