// what     a thread stores to a block, stores with release behind it, and frees the block before the first store has left
// why      the mark of the release store once stayed behind the entries that went with the block, and the thread was stuck
//          for ever: everything after it passed for safe
// options  --property assertion
// expect   sc,tso,pso,nsw,lmo,armv8,power,rc11  violated kind assertion at END
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int go;

static void* publish(void* unused) {
  int* scratch = malloc(sizeof *scratch);
  *scratch = 1;
  atomic_store_explicit(&go, 1, memory_order_release);
  free(scratch);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, publish, 0);
  pthread_join(t, 0);
  assert(atomic_load(&go) != 1);  // END
  return 0;
}
