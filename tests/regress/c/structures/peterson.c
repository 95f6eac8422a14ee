// what    Peterson's lock with the orders that it needs, with weaker ones, and with two ways of doing without seq_cst stores
// why     which order is missing shows under which model; each row follows from one cycle, named here
// because Under sc, tso and pso four executions, by an enumeration of all interleavings in which a waiting loop is its
//         last round: two orders of the stores to turn; the thread of the earlier one finds the other's flag down or
//         the turn its own, the other waits until the flag is down.
// because Sequentially consistent accesses are enough everywhere but in ra, which takes them for release and acquire.
// expect  sc,tso,pso holds executions 4
// expect  nsw,rc11,armv8,power,rmo,riscv holds
// expect  ra violated kind assertion
// because Relaxed: both miss the other's flag (store buffering).
// with    -D ORDER=relaxed
// expect  sc holds executions 4
// expect  tso,pso,nsw,armv8,power,rmo,riscv violated kind assertion
// expect  ra,rc11 violated kind assertion
// because Release and acquire allow store buffering, except on armv8, where an ldar waits for earlier stlr.
// with    -D ORDER=rel_acq
// expect  sc holds executions 4
// expect  armv8 holds
// expect  tso,pso,nsw,power,rmo,riscv violated kind assertion
// expect  ra,rc11 violated kind assertion
// because A full fence behind two stores of which the second is a release: the flag may still be overtaken in the end by a turn that
//         lost to the other's (the litmus test R with a light fence on one side). Forbidden where stores reach all at once.
// with    -D FENCE=seq_cst
// expect  sc,tso,pso holds executions 4
// expect  nsw,armv8,rmo,riscv holds
// expect  power violated kind assertion
// expect  ra,rc11 violated kind assertion
// because Williams' version: whoever exchanges the turn last has seen the other's flag.
// with    -D EXCHANGE=acq_rel
// expect  sc,tso,pso holds executions 4
// expect  nsw,ra,rc11,armv8,power,rmo,riscv holds
// with    -D EXCHANGE=relaxed
// expect  sc,tso holds executions 4
// expect  ra holds
// expect  pso,nsw,armv8,power,rmo,riscv violated kind assertion
// expect  rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

// The stores and loads of the entry, and the store of the exit.
#define STORE_seq_cst memory_order_seq_cst
#define LOAD_seq_cst memory_order_seq_cst
#define STORE_relaxed memory_order_relaxed
#define LOAD_relaxed memory_order_relaxed
#define STORE_rel_acq memory_order_release
#define LOAD_rel_acq memory_order_acquire
#ifndef ORDER
#define ORDER seq_cst
#endif
#define STORE GLUE(STORE_, ORDER)
#define LOAD GLUE(LOAD_, ORDER)

static atomic_int wants[2], turn, inside;

static void enter(int me, int other) {
#if defined(EXCHANGE)
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
  atomic_exchange_explicit(&turn, other, MO(EXCHANGE));
  while (atomic_load_explicit(&wants[other], memory_order_acquire) && atomic_load_explicit(&turn, memory_order_relaxed) == other) {
  }
#elif defined(FENCE)
  atomic_store_explicit(&wants[me], 1, memory_order_relaxed);
  atomic_store_explicit(&turn, other, memory_order_release);
  atomic_thread_fence(MO(FENCE));
  while (atomic_load_explicit(&wants[other], memory_order_acquire) && atomic_load_explicit(&turn, memory_order_acquire) == other) {
  }
#else
  atomic_store_explicit(&wants[me], 1, STORE);
  atomic_store_explicit(&turn, other, STORE);
  while (atomic_load_explicit(&wants[other], LOAD) && atomic_load_explicit(&turn, LOAD) == other) {
  }
#endif
}

static void leave(int me) {
#if defined(EXCHANGE) || defined(FENCE)
  atomic_store_explicit(&wants[me], 0, memory_order_release);
#else
  atomic_store_explicit(&wants[me], 0, STORE);
#endif
}

static void *run(void *argument) {
  int me = (int)(intptr_t)argument;
  enter(me, 1 - me);
  atomic_store_explicit(&inside, atomic_load_explicit(&inside, memory_order_relaxed) + 1, memory_order_relaxed);
  assert(atomic_load_explicit(&inside, memory_order_relaxed) == 1);
  atomic_store_explicit(&inside, 0, memory_order_relaxed);
  leave(me);
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, (void *)1);
  run(0);
  pthread_join(other, 0);
  return 0;
}
