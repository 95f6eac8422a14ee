// what    a loop with a choice whose rounds change what a pointer depends on, but not its value
// why     a choice was not made again in a local state of the same bytes: the older dependency ordered more
// because After as many rounds as there are pointers the address no longer depends on the read of `flag`.
// with
// expect  sc,tso,pso holds
// expect  rmo,armv8,armv8.1,riscv,power,rc11 violated kind assertion
// with    -D LOAD
// expect  sc,tso,pso holds
// expect  rmo,armv8,armv8.1,riscv,power,rc11 violated kind assertion
// with    -D TWO
// expect  sc,tso,pso holds
// expect  rmo,armv8,armv8.1,riscv,power,rc11 violated kind assertion
// with    -D TWO -D LOAD
// expect  sc,tso,pso holds
// expect  rmo,armv8,armv8.1,riscv,power,rc11 violated kind assertion
// with    -D TWO -D EXCHANGE
// expect  sc,tso,pso holds
// expect  armv8,riscv,power,rc11 violated kind assertion
// with    -D NO_ROUND
// expect  sc,armv8,armv8.1,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include "heddle.h"

#define LOAD_OF(a) atomic_load_explicit(a, memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), v, memory_order_relaxed)

static atomic_int flag, data[2], unused;

static bool again(void) {
#if defined EXCHANGE
  int expected = 0;
  STORE(data[1], 7);
  return !atomic_compare_exchange_weak_explicit(&unused, &expected, 0, memory_order_relaxed, memory_order_relaxed);
#elif defined NO_ROUND
  return false;
#else
  return heddle_choose(2);
#endif
}

static void *reader(void *arg) {
  const int seen = LOAD_OF(&flag);
  if (seen != 1) return arg;
  atomic_int *pointer = &data[seen ^ 1];
#ifdef TWO
  atomic_int *next = pointer;
#endif
  while (again()) {
#ifdef TWO
    pointer = next;
    next = &data[0];
#else
    pointer = &data[0];
#endif
#ifdef LOAD
    LOAD_OF(&unused);
#endif
  }
  assert(LOAD_OF(pointer) == 1);
  return arg;
}

static void *writer(void *arg) {
  STORE(data[0], 1);
  atomic_thread_fence(memory_order_seq_cst);
  STORE(flag, 1);
  return arg;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
