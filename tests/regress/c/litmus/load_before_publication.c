// what    a thread's load from its own object is put off until it has published the object, behind its own store there
// why     such a load counted as the thread's own affair, and the order in which memory has the store first was lost
// because lmo lets the publication overtake the load, which then reads what another thread has written.
// other   graph lmo refuses has no model
// expect  sc,tso,pso holds
// expect  lmo,rmo,armv8 violated kind assertion at LATE
// with    -D GLOBAL
// other   graph lmo refuses has no model
// expect  sc,tso,pso holds
// expect  lmo,rmo,armv8 violated kind assertion at LATE
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  atomic_int x;
};

_Atomic(struct node *) shared;
#ifdef GLOBAL
struct node node;
#endif

static void *publish(void *unused) {
#ifdef GLOBAL
  struct node *p = &node;
#else
  struct node *p = malloc(sizeof *p);
#endif
  atomic_store_explicit(&p->x, 1, memory_order_relaxed);
  int r = atomic_load_explicit(&p->x, memory_order_relaxed);
  atomic_store_explicit(&shared, p, memory_order_relaxed);
  assert(r != 2);  // LATE
  return unused;
}

static void *change(void *unused) {
  struct node *p = atomic_load_explicit(&shared, memory_order_relaxed);
  if (p) atomic_store_explicit(&p->x, 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, publish, 0);
  pthread_create(&b, 0, change, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
#ifndef GLOBAL
  free(shared);
#endif
  return 0;
}
