// what    an atomic section whose first access is to an object that no other thread knows
// why     such an access is no step of its own, but the section that it begins is one: it must not be drawn into the step before it
// expect  sc,tso,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

static atomic_int first, second;

static void *run(void *unused) {
  volatile int *own = malloc(sizeof *own);
  atomic_store(&first, 1);
  heddle_atomic_begin();
  *own = 1;
  atomic_store(&second, 1);
  heddle_atomic_end();
  free((void *)own);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  int seen = atomic_load(&first);
  assert(!seen || atomic_load(&second));
  pthread_join(thread, 0);
  return 0;
}
