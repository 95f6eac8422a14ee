// what    a chain of dependencies through a fetch_add: what it stores is read back and decides an address
// why     lwarx; add; stwcx. has a data dependency, which was missing: a false alarm under power
// because riscv forwards nothing from an atomic instruction before it is done; an armv8.1 ldadd may have no such
//         dependency, and armv8 keeps no more. An exchange stores what it did not read.
// with
// expect  sc,tso,pso,rmo,riscv,power holds
// expect  armv8,armv8.1,rc11 violated kind assertion
// with    -D EXCHANGE
// expect  sc,tso,pso,rmo,riscv holds
// expect  armv8,armv8.1,power,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#define LOAD(a) atomic_load_explicit(a, memory_order_relaxed)
#define STORE(a, v) atomic_store_explicit(a, v, memory_order_relaxed)

static atomic_int flag, own, data;

static void *reader(void *arg) {
  const int seen = LOAD(&flag);
  STORE(&own, seen);
#ifdef EXCHANGE
  atomic_exchange_explicit(&own, 2, memory_order_relaxed);
#else
  atomic_fetch_add_explicit(&own, 1, memory_order_relaxed);
#endif
  const int value = LOAD(&own);
  const int found = LOAD(&data + (value ^ value));
  assert(!(seen == 1 && value == 2 && found == 0));
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
