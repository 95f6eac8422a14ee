// what    a loop whose first load has an address that depends on another load; those of later rounds have not
// why     a later round's load was taken for the first one's, though it comes after less: the run was left out
// because Of the second round's load nothing orders it, and so `data`, after the read of `flag`.
// with
// expect  sc,tso,pso holds
// expect  rmo,armv8,armv8.1,riscv,power,rc11 violated kind assertion
// with    -D COUNTED
// expect  sc,tso,pso holds
// expect  rmo,armv8,armv8.1,riscv,power,rc11 violated kind assertion
// with    -D ALWAYS
// expect  sc,tso,pso,rmo,armv8,armv8.1,riscv,power holds
// because The third round reads the own write of the second, whose address depends on nothing.
// with    -D FETCH_ADD
// expect  sc,tso,pso,riscv,power holds
// expect  armv8,armv8.1,rc11 violated kind assertion
// with    -D EXCHANGE
// expect  sc,tso,pso holds
// expect  armv8,armv8.1,power,rc11 violated kind assertion
// because The load reads the own write of the second round, whose value depends on nothing.
// with    -D OWN_WRITE
// expect  sc,tso,pso holds
// expect  armv8,armv8.1,power,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "heddle.h"

#define LOAD(a) atomic_load_explicit(a, memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(a, v, memory_order_relaxed)

static atomic_int flag, other, data;

static void *reader(void *arg) {
  const int seen = LOAD(&flag);
  atomic_int *at = &other + (seen ^ seen);
  int value, stored = seen ^ seen;
#ifdef COUNTED
  int rounds = 0;
#endif
  do {
#ifdef FETCH_ADD
    value = atomic_fetch_add_explicit(at, 0, memory_order_relaxed);
#elif defined EXCHANGE
    value = atomic_exchange_explicit(at, 0, memory_order_relaxed);
#elif defined OWN_WRITE
    atomic_exchange_explicit(&other, stored, memory_order_relaxed);
    stored = 0;
#else
    value = LOAD(at);
#endif
#ifndef ALWAYS
    at = &other;
#endif
#ifdef COUNTED
    heddle_assume(++rounds < 3);
#endif
  } while (heddle_choose(2));
#ifdef OWN_WRITE
  value = LOAD(&other);
#endif
  const int found = LOAD(&data + (value ^ value));
  assert(!(seen == 1 && found == 0));
  return arg;
}

static void *writer(void *arg) {
  STORE(&data, 1);
  atomic_thread_fence(memory_order_seq_cst);
  STORE(&flag, 1);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
