// what    the last of two users frees an object; the count goes down by relaxed read-modify-writes
// why     freeing is a write: without release and acquire it races with the other's last look at the object
// options --property race
// other   graph sc,tso,pso refuses whose axioms know none
// expect  sc,tso,pso violated kind race
// with    -D ORDER=memory_order_acq_rel
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

static struct { int value; } *object;
static atomic_int users = 2;

static void *use(void *unused) {
  if (object->value != 3) abort();
  if (atomic_fetch_sub_explicit(&users, 1, ORDER) == 1) free(object);
  return unused;
}

int main(void) {
  pthread_t a;
  object = malloc(sizeof *object);
  object->value = 3;
  pthread_create(&a, 0, use, 0);
  use(0);
  pthread_join(a, 0);
  return 0;
}
