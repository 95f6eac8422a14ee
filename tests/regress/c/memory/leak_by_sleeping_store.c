// what    the store that loses an object stays in the buffer of a thread that has not ended when main returns
// why     a store that no other thread can reach sleeps, and at the end of the program it was taken for not performed
// expect  sc,tso,pso,rc11,armv8 violated kind memory-leak
// with    --engine explicit
// expect  sc,tso,pso violated kind memory-leak
// with    -D FREED --engine explicit
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  struct node *next;
};

atomic_int published, stop;

static void *worker(void *unused) {
  struct node *outer = malloc(sizeof *outer);
  outer->next = malloc(sizeof *outer);
  atomic_thread_fence(memory_order_seq_cst);
#ifdef FREED
  free(outer->next);
#endif
  outer->next = NULL;
  atomic_store_explicit(&published, 1, memory_order_relaxed);
  while (!atomic_load(&stop)) {
  }
  free(outer);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  while (!atomic_load(&published)) {
  }
  return 0;
}
