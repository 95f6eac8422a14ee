// what    a loop of exchanges that leave the value, ended by a choice or a flag; then the thread loads what it left
// why     a round that leaves the value was left out, though the load of the own write comes after less than the load of
//         the other thread's
// because The load takes its value from the own exchange, and its address dependency begins there.
// with    -D CHOICE
// expect  sc,tso,pso,rmo,riscv holds
// expect  armv8,armv8.1,power,rc11 violated kind assertion
// with    -D FLAG
// expect  sc,tso,pso,rmo,riscv holds
// expect  armv8,armv8.1,power,rc11 violated kind assertion
// because A test-and-set lock ends with an exchange that changes the value; its futile rounds are still left out.
// with    -D LOCK
// expect  sc,rmo,armv8,armv8.1,riscv,power,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#include "heddle.h"

#define LOAD(a) atomic_load_explicit(a, memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(a, v, memory_order_relaxed)

static atomic_int flag, data, lock, stop;
static int shared;

static void *locked(void *arg) {
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) {}
  ++shared;
  atomic_store_explicit(&lock, 0, memory_order_release);
  return arg;
}

static void *reader(void *arg) {
  int all = 1;
#ifdef FLAG
  while (!LOAD(&stop))
#else
  while (heddle_choose(2))
#endif
    all &= atomic_exchange_explicit(&flag, 1, memory_order_relaxed);
  const int value = LOAD(&flag);
  const int found = LOAD(&data + (value ^ value));
  assert(!(all && value && !found));
  return arg;
}

static void *writer(void *arg) {
  STORE(&data, 1);
  atomic_thread_fence(memory_order_seq_cst);
  STORE(&flag, 1);
  STORE(&stop, 1);
  return arg;
}

int main(void) {
  pthread_t threads[2];
#ifdef LOCK
  pthread_create(&threads[0], 0, locked, 0);
  pthread_create(&threads[1], 0, locked, 0);
#else
  pthread_create(&threads[0], 0, reader, 0);
  pthread_create(&threads[1], 0, writer, 0);
#endif
  for (int i = 0; i < 2; ++i) pthread_join(threads[i], 0);
}
