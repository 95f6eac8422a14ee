// what    a block that a static pointer names and that is never freed, which the optimiser makes a global variable of
// why     that has no alignment of its own: an atomic access to it was said to be misaligned
// with    -O 1
// expect  sc,tso,armv8 holds
// with    -O 2
// expect  sc,tso,armv8 holds
// with
// expect  sc,tso,armv8 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int *block;

static void *stores(void *unused) {
  atomic_store(&block[1], 1);
  return unused;
}

int main(void) {
  block = calloc(3, sizeof *block);
  pthread_t t;
  pthread_create(&t, 0, stores, 0);
  pthread_join(t, 0);
  assert(atomic_load(&block[1]) == 1);
  return 0;
}
