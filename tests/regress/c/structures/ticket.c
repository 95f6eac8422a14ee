// what    a ticket lock around a counter, with and without the orders of its two ends
// why     message passing: who leaves must publish, who enters must not read ahead; only the first shows where loads stay in order
// because Two executions: either thread takes the first ticket, and each waiting loop ends with the read of its number.
// expect  sc,tso,pso,ra,rc11,armv8,power,rmo,riscv holds executions 2
// expect  nsw,lmo holds
// because No load can be buffered, so hardware has the executions of the language.
// with    --engine graph --symmetry off
// expect  sc,rc11,armv8,riscv,rmo,power holds executions 2
// because Stores leave the buffer out of order, or are seen so; ra makes every store a release.
// with    -D LEAVE=relaxed
// expect  sc,tso,ra holds executions 2
// expect  pso,nsw,armv8,power,rmo,riscv,lmo violated kind assertion
// expect  rc11 violated kind race
// because The counter is read before the ticket was called. Under nsw a branch waits for what it depends on; hardware speculates.
// with    -D ENTER=relaxed
// other   graph nsw violated its machine waits at release fences and at local operations, its axioms do not
// expect  sc,tso,pso,ra holds executions 2
// expect  nsw holds
// expect  armv8,power,rmo,riscv violated kind assertion
// expect  rc11 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

#ifndef LEAVE
#define LEAVE release
#endif
#ifndef ENTER
#define ENTER acquire
#endif

static atomic_uint next, serving;
static int counter;

static void *run(void *unused) {
  unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, MO(ENTER)) != mine) {
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
