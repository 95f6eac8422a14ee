// what    a store that is still in the buffer when another thread takes the object away and frees it
// why     an object without pointers to it counted as its last user's own: the store went to memory unnoticed
// expect  sc,tso,pso violated kind use-after-free
// with    -D COUNTED
// because The count that keeps the object may be in the buffer, too.
// other   drf tso refuses has atomic sections
// expect  tso,pso violated kind use-after-free
// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct node {
  int x;
};

_Atomic(struct node *) shared;
atomic_int users;

static void *drop(void *unused) {
#ifdef COUNTED
  heddle_atomic_begin();
  if (users == 0) {
    free(shared);
    shared = NULL;
  }
  heddle_atomic_end();
#else
  free(atomic_exchange(&shared, NULL));
#endif
  return unused;
}

static void *use(void *unused) {
  struct node *p = atomic_load(&shared);
  if (p) {
#ifdef COUNTED
    atomic_store_explicit(&users, 1, memory_order_relaxed);
#endif
    p->x = 1;
  }
  atomic_thread_fence(memory_order_seq_cst);
  return unused;
}

int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof(struct node));
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, drop, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(shared);
  return 0;
}
