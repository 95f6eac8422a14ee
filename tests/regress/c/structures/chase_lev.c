// what    the work-stealing deque of Chase and Lev with the fences of Le, Pop, Cohen and Zappa Nardelli (PPoPP 2013): the owner
//         takes one of two tasks while thieves steal twice each
// why     each of the three fences stands against another reordering, and each is needed by other models
// because 29 executions under sc, tso and pso, by an enumeration of all interleavings.
// expect  sc,tso,pso holds executions 29
// expect  nsw,ra,rc11,armv8,power,riscv,lmo holds
// expect  rmo unknown reason under rmo later writes overtake stores whose addresses are not known yet
// because The owner lowers the bottom, then looks at the top: store buffering.
// with    -D TAKE=relaxed
// expect  sc holds executions 29
// expect  tso,pso,nsw,armv8,power,rmo,riscv,lmo violated kind assertion
// expect  ra,rc11 violated kind assertion
// because A task is seen before it is there: message passing.
// with    -D PUSH=relaxed
// expect  sc,tso holds executions 29
// expect  ra holds
// expect  pso,nsw,armv8,power,rmo,riscv,lmo violated kind assertion
// expect  rc11 violated kind assertion
// because The thief's own compare-exchange of the top, then its next look at the bottom: store buffering again. Locked instructions are
//         fences under tso, pso, nsw and rmo, and on riscv an amo.aqrl holds back what follows; on armv8 an ldar waits for the
//         store of a compare-exchange that releases. On power nothing waits for the stwcx.
// with    -D STEAL=relaxed
// expect  sc,tso,pso holds executions 29
// expect  nsw,armv8,riscv holds
// expect  rmo unknown reason under rmo later writes overtake stores whose addresses are not known yet
// expect  power violated kind assertion
// expect  ra,rc11 violated kind assertion
// because Three threads: the same fences are enough, and needed.
// with    -D THIEVES=2 --engine graph
// expect  sc,tso,ra,rc11,armv8,power,riscv holds
// with    -D THIEVES=2 -D PUSH=relaxed
// expect  rc11,armv8 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

#ifndef TAKE
#define TAKE seq_cst
#endif
#ifndef PUSH
#define PUSH release
#endif
#ifndef STEAL
#define STEAL seq_cst
#endif

#ifndef THIEVES
#define THIEVES 1
#endif

enum { none = 0, size = 4 };
static atomic_int tasks[size], top, bottom, taken[size];

static void push(int task) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed);
  atomic_store_explicit(&tasks[b % size], task, memory_order_relaxed);
  atomic_thread_fence(MO(PUSH));
  atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
}

static int take(void) {
  int b = atomic_load_explicit(&bottom, memory_order_relaxed) - 1;
  atomic_store_explicit(&bottom, b, memory_order_relaxed);
  atomic_thread_fence(MO(TAKE));
  int t = atomic_load_explicit(&top, memory_order_relaxed);
  if (t > b) {
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
    return none;
  }
  int task = atomic_load_explicit(&tasks[b % size], memory_order_relaxed);
  if (t == b) {
    if (!atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed)) task = none;
    atomic_store_explicit(&bottom, b + 1, memory_order_relaxed);
  }
  return task;
}

static int steal(void) {
  int t = atomic_load_explicit(&top, memory_order_acquire);
  atomic_thread_fence(MO(STEAL));
  int b = atomic_load_explicit(&bottom, memory_order_acquire);
  if (t >= b) return none;
  int task = atomic_load_explicit(&tasks[t % size], memory_order_relaxed);
  assert(task == 1 || task == 2);
  return atomic_compare_exchange_strong_explicit(&top, &t, t + 1, memory_order_seq_cst, memory_order_relaxed) ? task : none;
}

static void work(int task) {
  if (task != none) assert(atomic_fetch_add_explicit(&taken[task], 1, memory_order_relaxed) == 0);
}

static void *thief(void *unused) {
  work(steal());
  work(steal());
  return unused;
}

int main(void) {
  pthread_t thieves[THIEVES];
  for (int i = 0; i < THIEVES; i++) pthread_create(&thieves[i], 0, thief, 0);
  push(1);
  push(2);
  work(take());
  for (int i = 0; i < THIEVES; i++) pthread_join(thieves[i], 0);
  return 0;
}
