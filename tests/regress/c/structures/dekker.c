// what    Dekker's lock with the orders that it needs and with weaker ones
// why     store buffering inside a loop inside a loop: the two flags are all that keeps the threads apart
// because Under sc, tso and pso four executions, by an enumeration of all interleavings: either thread is through
//         before the other begins, or thread 1, whose turn it is not, steps back and thread 0 sees its flag not yet up,
//         or down again.
// expect  sc,tso,pso holds executions 4
// expect  nsw,rc11,armv8,power,rmo,riscv,lmo holds
// because ra takes seq_cst for release and acquire.
// expect  ra violated kind assertion
// with    -D STORE=relaxed -D LOAD=relaxed
// expect  sc holds executions 4
// expect  tso,pso,nsw,armv8,power,rmo,riscv,lmo violated kind assertion
// expect  ra,rc11 violated kind assertion
// because As in Peterson's lock: armv8 keeps an ldar behind earlier stlr.
// with    -D STORE=release -D LOAD=acquire
// expect  sc holds executions 4
// expect  armv8 holds
// expect  tso,pso,nsw,power,rmo,riscv violated kind assertion
// expect  ra,rc11 violated kind assertion
// because Only the loads are weak: where the store has the fence (tso, pso, nsw) nothing is lost as long as loads, or what a branch
//         waits for, stay in order. armv8, power and riscv have half of the fence at the load; rmo has it at the store, but
//         reads ahead into the critical section.
// with    -D LOAD=relaxed
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc,tso,pso holds executions 4
// expect  nsw holds
// expect  armv8,power,rmo,riscv violated kind assertion
// expect  ra,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

#ifndef STORE
#define STORE seq_cst
#endif
#ifndef LOAD
#define LOAD seq_cst
#endif

static atomic_int wants[2], turn, inside;

static void *run(void *argument) {
  int me = (int)(intptr_t)argument, other = 1 - me;
  atomic_store_explicit(&wants[me], 1, MO(STORE));
  while (atomic_load_explicit(&wants[other], MO(LOAD))) {
    if (atomic_load_explicit(&turn, MO(LOAD)) == me) continue;
    atomic_store_explicit(&wants[me], 0, MO(STORE));
    while (atomic_load_explicit(&turn, MO(LOAD)) != me) {
    }
    atomic_store_explicit(&wants[me], 1, MO(STORE));
  }
  atomic_store_explicit(&inside, atomic_load_explicit(&inside, memory_order_relaxed) + 1, memory_order_relaxed);
  assert(atomic_load_explicit(&inside, memory_order_relaxed) == 1);
  atomic_store_explicit(&inside, 0, memory_order_relaxed);
  atomic_store_explicit(&turn, other, MO(STORE));
  atomic_store_explicit(&wants[me], 0, MO(STORE));
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, (void *)1);
  run(0);
  pthread_join(other, 0);
  return 0;
}
