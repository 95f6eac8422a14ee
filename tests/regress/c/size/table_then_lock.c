// what    a table of 1200 numbers is filled, then two threads use a spin lock that is freed without release
// why     a long sequential beginning, and an end after the last join, must cost the axioms nothing and hide nothing
// options -p assertion -D UNLOCK=memory_order_relaxed
// expect  rc11,armv8,power violated kind assertion at HERE
// with    -D UNLOCK=memory_order_release
// expect  rc11,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

enum { size = 1200 };
static atomic_int lock;
static int counter, table[size];

static void *increment(void *unused) {
  while (atomic_exchange_explicit(&lock, 1, memory_order_acquire)) continue;
  counter = counter + 1;
  atomic_store_explicit(&lock, 0, UNLOCK);
  return unused;
}

int main(void) {
  for (int i = 0; i < size; i++) table[i] = i;
  pthread_t other;
  pthread_create(&other, 0, increment, 0);
  increment(0);
  pthread_join(other, 0);
  for (int i = 0; i < size; i++) table[i] = table[i] + 1;
  assert(counter == 2); // HERE
  return 0;
}
