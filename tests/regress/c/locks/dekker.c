// what    Dekker's mutual exclusion
// why     the oldest one, with a loop inside the loop; it fails as soon as a store waits in a buffer
// with    -D ORDER=relaxed
// expect  sc holds
// expect  tso,pso,lmo violated kind assertion
// with    -D ORDER=seq_cst
// expect  sc,tso,pso,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

static atomic_int wants[2], turn, inside;

static void *run(void *argument) {
  int me = (int)(intptr_t)argument, other = 1 - me;
  atomic_store_explicit(&wants[me], 1, MO(ORDER));
  while (atomic_load_explicit(&wants[other], MO(ORDER))) {
    if (atomic_load_explicit(&turn, MO(ORDER)) == me) continue;
    atomic_store_explicit(&wants[me], 0, MO(ORDER));
    while (atomic_load_explicit(&turn, MO(ORDER)) != me) {
    }
    atomic_store_explicit(&wants[me], 1, MO(ORDER));
  }
  atomic_store_explicit(&inside, atomic_load_explicit(&inside, memory_order_relaxed) + 1, memory_order_relaxed);
  assert(atomic_load_explicit(&inside, memory_order_relaxed) == 1);
  atomic_store_explicit(&inside, 0, memory_order_relaxed);
  atomic_store_explicit(&turn, other, MO(ORDER));
  atomic_store_explicit(&wants[me], 0, MO(ORDER));
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, (void *)1);
  run(0);
  pthread_join(other, 0);
  return 0;
}
