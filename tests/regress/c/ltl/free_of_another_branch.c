// what    a choice of which one branch frees the object that the oldest buffered store is for
// why     the other branch, which leaves that store where it is, counted as its arrival, so that a run in which it never
//         arrives looked fair, and the trace did not replay
// options --ltl 'F flag == 1' --fair -O1
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

atomic_int x, flag, y;

static void *other(void *unused) {
  for (;;) atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  atomic_int *own = malloc(sizeof *own);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(own, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  for (;;)
    if (heddle_choose(2) == 0 && own) {
      free(own);
      own = 0;
    }
}
