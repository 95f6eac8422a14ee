// what    the store that loses an object has gone, or not, when main ends the program; a store of its thread to a global is
//         in the buffer behind it, or in front of it
// why     a sleeping store was performed at the end only if the whole buffer slept: pso was SAFE with reduction
// because Under pso stores to different places overtake each other unless a release stands between them: with the release
//         store behind it the store may have gone while that one has not; the one behind a relaxed store may overtake it.
// with    --engine explicit
// expect  sc,tso,pso violated kind memory-leak
// with    --engine explicit -D BEHIND
// expect  sc,tso holds
// expect  pso violated kind memory-leak
// with    --engine explicit -D BEHIND -D RELEASED
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

struct node {
  struct node *next;
};

atomic_int published, stop;

static void *worker(void *unused) {
  struct node *outer = malloc(sizeof *outer);
  outer->next = malloc(sizeof *outer);
  atomic_thread_fence(memory_order_seq_cst);
#ifdef BEHIND
  atomic_store_explicit(&published, 1, memory_order_relaxed);
#ifdef RELEASED
  atomic_thread_fence(memory_order_release);
#endif
#endif
  outer->next = NULL;
#ifndef BEHIND
  atomic_store_explicit(&published, 1, memory_order_release);
#endif
  while (!atomic_load(&stop)) {
  }
  free(outer);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  __VERIFIER_atomic_begin();
  if (atomic_load(&published) == 0) exit(0);
  __VERIFIER_atomic_end();
  for (;;) {
  }
}
