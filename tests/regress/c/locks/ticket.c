// what    a ticket lock around a counter
// why     the store that calls the next ticket must not pass what the lock guards
// with    -D LEAVE=release
// expect  sc,tso,pso,lmo holds
// with    -D LEAVE=relaxed
// expect  sc,tso holds
// expect  pso,lmo violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

static atomic_uint next, serving;
static int counter;

static void *run(void *unused) {
  unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, memory_order_acquire) != mine) {
  }
  counter = counter + 1;
  atomic_store_explicit(&serving, mine + 1, MO(LEAVE));
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  run(0);
  pthread_join(other, 0);
  assert(counter == 2);
  return 0;
}
