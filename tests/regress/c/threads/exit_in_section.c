// what    exit inside an atomic section that another thread's store comes behind
// why     the graph in which anything follows a section without an end is left out, and with it the execution that ends
//         there: the leak was missed (SAFE)
// because main reads 0 in the section and ends the program with the block lost; if it reads 1 it never ends.
// expect  sc,tso,pso violated kind memory-leak
// other   graph sc,tso,pso unknown exit() inside an atomic section
// expect  rc11,armv8 unknown reason execution graphs cannot express exit() inside an atomic section
// with    -p assertion
// expect  sc,tso,pso,rc11,armv8 holds
// other   graph sc,tso,pso,rc11,armv8 unknown exit() inside an atomic section
// with    -p assertion -D FREED
// because The block may be freed before the section that uses it.
// expect  sc violated kind use-after-free
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

atomic_int g;
int *block;

static void *worker(void *unused) {
#ifdef FREED
  free(block);
#endif
  g = 1;
  return unused;
}

int main(void) {
  pthread_t thread;
  block = malloc(sizeof *block);
#ifndef FREED
  block = NULL;
#endif
  pthread_create(&thread, 0, worker, 0);
  __VERIFIER_atomic_begin();
  if (atomic_load(&g) == 0) {
#ifdef FREED
    *block = 1;
#endif
    exit(0);
  }
  __VERIFIER_atomic_end();
  for (;;) {
  }
}
