// what    malloc and publish: an object is filled in, then a pointer to it is stored where another thread looks
// why     the object is private when it is filled in, yet its stores must wait in the buffer: under pso they may arrive last
// with    -D PUBLISH=relaxed
// expect  sc,tso holds
// expect  pso,lmo violated
// with    -D PUBLISH=release
// expect  sc,tso,pso,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

typedef struct {
  int value;
} Box;
static Box *_Atomic shared;

static void *look(void *unused) {
  Box *box = atomic_load_explicit(&shared, memory_order_acquire);
  if (box) assert(box->value == 7);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, look, 0);
  Box *box = malloc(sizeof *box);
  box->value = 7;
  atomic_store_explicit(&shared, box, MO(PUBLISH));
  pthread_join(other, 0);
  free(box);
  return 0;
}
