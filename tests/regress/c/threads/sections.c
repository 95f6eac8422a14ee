// what    atomic sections that nest, are ended without a beginning, or are never ended
// why     heddle.h says that sections do not nest: whoever nests them relies on something that is not there, and a
//         thread that never ends its section has not done what it was meant to do in one step
// options -I ../../../../include
// expect  sc,tso,pso holds
// with    -D NESTED
// expect  sc,pso violated kind unbalanced-atomic at nested
// with    -D UNBEGUN
// expect  sc,pso violated kind unbalanced-atomic at unbegun
// with    -D UNENDED
// expect  sc,pso violated kind unbalanced-atomic at unended
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

#include "heddle.h"

int x, y;

static int by_value(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }

static void *worker(void *unused) {
  heddle_atomic_begin();
#ifdef NESTED
  heddle_atomic_begin();  // nested
  heddle_atomic_end();
#endif
  x = 1;
  int all[] = {y, x, 0};
  qsort(all, 3, sizeof *all, by_value);  // a function of the program that returns to the library is no end of a thread
  y = all[2];
#ifdef UNENDED
  return unused;  // unended
#endif
  heddle_atomic_end();
#ifdef UNBEGUN
  heddle_atomic_end();  // unbegun
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, worker, 0);
  pthread_join(t, 0);
}
