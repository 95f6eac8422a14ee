// what    load buffering through a third thread: one waits for a store, main joins it and stores what the first one loads
// why     where only two threads read, promises to the elder one are enough if no third thread accesses memory: this cycle
//         goes through the join, and the reader that is promised the store is younger than the writer
// options -p assertion --engine graph
// because The load may be 1 only if the store behind it comes first, which models that keep loads before later stores
//         forbid; acquire keeps it everywhere.
// expect  sc,tso,pso,ra,rc11 holds
// expect  armv8,armv8.1,riscv,power,rmo violated kind assertion
// with    -D ASSUME
// because the same with a failed assumption in place of the loop
// expect  sc,tso,pso,ra,rc11 holds
// expect  armv8,armv8.1,riscv,power,rmo violated kind assertion
// with    -D ORDER=memory_order_acquire
// because with an acquire load nothing overtakes it
// expect  armv8,armv8.1,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif

void __VERIFIER_assume(int);

static atomic_int x, y;
static int seen;

static void* reader(void* unused) {
  (void)unused;
  seen = atomic_load_explicit(&x, ORDER);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return 0;
}

static void* waiter(void* unused) {
  (void)unused;
#ifdef ASSUME
  __VERIFIER_assume(atomic_load_explicit(&y, memory_order_relaxed) == 1);
#else
  while (atomic_load_explicit(&y, memory_order_relaxed) == 0) continue;
#endif
  return 0;
}

int main(void) {
  pthread_t r, w;  // locals: main accesses nothing but x and seen
  pthread_create(&r, 0, reader, 0);
  pthread_create(&w, 0, waiter, 0);
  pthread_join(w, 0);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_join(r, 0);
  assert(seen == 0);
}
