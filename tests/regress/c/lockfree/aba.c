// what    a compare-exchange that would take a new object for the one that was freed (the ABA problem)
// why     no address is given out twice, which allocators do: a verdict that relies on it has to say so
// assumes freed memory is not allocated again at the same address
// expect  sc,tso,pso,rc11 holds
// with    -D KEEPS
// assumes nothing
// expect  sc,tso,pso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static _Atomic(int *) latest;

static int *new_node(void) {
#ifdef KEEPS
  static int nodes[2], used;
  return &nodes[used++];
#else
  return malloc(sizeof(int));
#endif
}
static void drop(int *node) {
#ifdef KEEPS
  (void)node;
#else
  free(node);
#endif
}

static void *replace(void *unused) {
  drop(atomic_exchange(&latest, 0));
  atomic_store(&latest, new_node());
  return unused;
}

int main(void) {
  int *seen = new_node();
  atomic_store(&latest, seen);
  pthread_t other;
  pthread_create(&other, 0, replace, 0);
  pthread_join(other, 0);
  assert(!atomic_compare_exchange_strong(&latest, &seen, 0));
  drop(atomic_load(&latest));
}
