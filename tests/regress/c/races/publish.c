// what    a pointer to fresh memory is handed over by a relaxed store
// why     the memory was private when it was written, yet the access is a part of the race; no machine shows wrong values
// options --property race
// other   graph sc,tso,pso,nsw refuses whose axioms know none
// expect  sc,tso violated kind race
// with    -D PUT=memory_order_release -D GET=memory_order_acquire
// expect  sc,tso,pso,lmo,nsw holds
// with    -D FENCES
// expect  sc,tso,pso,nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef PUT
#define PUT memory_order_relaxed
#define GET memory_order_relaxed
#endif

static _Atomic(int *) box;

static void *reader(void *unused) {
  (void)unused;
  int *p = atomic_load_explicit(&box, GET);
#ifdef FENCES
  atomic_thread_fence(memory_order_acquire);
#endif
  return p && *p != 7 ? abort(), p : 0;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  int *p = malloc(sizeof *p);
  *p = 7;
#ifdef FENCES
  atomic_thread_fence(memory_order_release);
#endif
  atomic_store_explicit(&box, p, PUT);
  pthread_join(t, 0);
  free(p);
  return 0;
}
