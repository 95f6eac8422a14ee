// what     message passing in which the writer creates, or joins, a thread between its two relaxed stores
// why      to the language this orders nothing for others; graphs took it for a fence, and their replay did when they did not.
//          Machines empty the buffer first
// options  --property assertion
// because  Two executions: the flag is seen or not, and data is loaded only if it is.
// with     -D BETWEEN=1
// expect   sc,tso,pso,ra,armv8,power  holds executions 2
// expect   nsw  holds
// expect   rc11  violated kind assertion
// with     -D BETWEEN=2
// expect   sc,tso,pso,ra,armv8,power  holds executions 2
// expect   nsw  holds
// expect   rc11  violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;

static void* nothing(void* unused) { return unused; }

static void* writer(void* unused) {
  pthread_t other;
#if BETWEEN == 2
  pthread_create(&other, 0, nothing, 0);
#endif
  atomic_store_explicit(&data, 1, memory_order_relaxed);
#if BETWEEN == 1
  pthread_create(&other, 0, nothing, 0);
#else
  pthread_join(other, 0);
#endif
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#if BETWEEN == 1
  pthread_join(other, 0);
#endif
  return unused;
}

int main(void) {
  pthread_t a;
  pthread_create(&a, 0, writer, 0);
  if (atomic_load_explicit(&flag, memory_order_acquire)) assert(atomic_load_explicit(&data, memory_order_relaxed));
  pthread_join(a, 0);
  return 0;
}
