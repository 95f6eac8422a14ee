// what    the queue lock of Mellor-Crummey and Scott around a counter; each of its hand-overs once without its order
// why     there are two ways out, over the queue's end and to a waiter, and each needs its own release and acquire
// because Six executions under sc, tso and pso, by an enumeration of all interleavings.
// expect  sc,tso,pso holds executions 6
// expect  nsw,ra,rc11,armv8,power,rmo,riscv,lmo holds
// because No load can be buffered, so hardware has the executions of the language.
// with    --engine graph --symmetry off
// expect  sc,rc11,armv8,riscv,rmo,power holds executions 6
// with    -D HAND_OVER=relaxed
// expect  sc,tso holds executions 6
// expect  ra holds
// expect  pso,nsw,armv8,power,rmo,riscv,lmo violated kind assertion
// expect  rc11 violated kind race
// with    -D WAIT=relaxed
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc,tso,pso holds executions 6
// expect  nsw,ra holds
// expect  armv8,power,rmo,riscv violated kind assertion
// expect  rc11 violated kind race
// because The lock is given back to nobody: the next one finds the queue empty.
// with    -D LEAVE=relaxed
// expect  sc,tso holds executions 6
// expect  ra holds
// expect  pso,nsw,armv8,power,rmo,riscv violated kind assertion
// expect  rc11 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

#ifndef HAND_OVER
#define HAND_OVER release
#endif
#ifndef WAIT
#define WAIT acquire
#endif
#ifndef LEAVE
#define LEAVE release
#endif

typedef struct Waiter {
  struct Waiter *_Atomic next;
  atomic_int waits;
} Waiter;
static Waiter waiters[2];
static Waiter *_Atomic last;
static int counter;

static void *run(void *argument) {
  Waiter *me = &waiters[(intptr_t)argument];
  atomic_store_explicit(&me->waits, 1, memory_order_relaxed);
  Waiter *before = atomic_exchange_explicit(&last, me, memory_order_acq_rel);
  if (before) {
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->waits, MO(WAIT))) {
    }
  }
  counter = counter + 1;
  Waiter *after = atomic_load_explicit(&me->next, memory_order_acquire);
  if (!after) {
    Waiter *expected = me;
    if (atomic_compare_exchange_strong_explicit(&last, &expected, 0, MO(LEAVE), memory_order_relaxed)) return 0;
    while (!(after = atomic_load_explicit(&me->next, memory_order_acquire))) {
    }
  }
  atomic_store_explicit(&after->waits, 0, MO(HAND_OVER));
  return 0;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, (void *)1);
  run(0);
  pthread_join(other, 0);
  assert(counter == 2);
  return 0;
}
