// what    a loop whose last round changes what a register depends on, but not its value
// why     the round was taken for one that changes nothing: its run was left out, and the older dependency ordered more
// because After one round the address, or the value stored, depends on the read of `other` and no longer on that of
//         `first`. nsw keeps loads before stores.
// with    -D ADDRESS
// expect  sc,tso,pso holds
// expect  rmo,armv8,armv8.1,riscv,power,rc11 violated kind assertion
// with    -D DATA
// expect  sc,tso,pso,rc11,nsw holds
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// with    -D ADDRESS -D NO_ROUND
// expect  sc,armv8,armv8.1,riscv,power holds
// with    -D EXCHANGE
// expect  sc,tso,pso holds
// expect  armv8,riscv,power,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(&(a), memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(&(a), v, memory_order_relaxed)

static atomic_int x, first, flag, data[2], other = 1;

static void *reader(void *unused) {
  const int seen = LOAD(first);
  int value = seen;
#if defined EXCHANGE
  while (!atomic_compare_exchange_weak_explicit(&other, &value, 2, memory_order_relaxed, memory_order_relaxed)) {}
#elif !defined NO_ROUND
  while (!LOAD(flag)) value = LOAD(other);
#endif
#ifdef DATA
  STORE(x, value);
  assert(seen != 1);
#else
  const int found = LOAD(data[value]);
  assert(!(seen == 1 && found == 0));
#endif
  return unused;
}

static void *writer(void *unused) {
#ifdef DATA
  const int value = LOAD(x);
  STORE(first, value);
#else
  STORE(data[1], 1);
  atomic_thread_fence(memory_order_seq_cst);
  STORE(first, 1);
#endif
  return unused;
}

static void *opener(void *unused) {
  STORE(flag, 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
  pthread_create(&threads[2], 0, opener, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
}
