// what    Peterson's mutual exclusion
// why     DIVINE's peterson (safe under sc, unsafe under tso); one fence mends it for tso, not for pso, where flag and turn
// because Four executions, by an enumeration of all interleavings in which a waiting loop is its last round: two orders
//         of the stores to turn; the thread of the earlier one finds the other's flag down or the turn its own, the
//         other waits until the flag is down.
//         may be seen in the wrong order
// with    -D ORDER=relaxed
// expect  sc holds executions 4
// expect  tso,pso,lmo violated kind assertion
// with    -D ORDER=relaxed -D FENCE
// expect  sc,tso holds executions 4
// expect  pso violated kind assertion
// with    -D ORDER=seq_cst
// expect  sc,tso,pso holds executions 4
// expect  lmo holds
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
  atomic_store_explicit(&turn, other, MO(ORDER));
#ifdef FENCE
  atomic_thread_fence(memory_order_seq_cst);
#endif
  while (atomic_load_explicit(&wants[other], MO(ORDER)) && atomic_load_explicit(&turn, MO(ORDER)) == other) {
  }
  atomic_store_explicit(&inside, atomic_load_explicit(&inside, memory_order_relaxed) + 1, memory_order_relaxed);
  assert(atomic_load_explicit(&inside, memory_order_relaxed) == 1);
  atomic_store_explicit(&inside, 0, memory_order_relaxed);
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
