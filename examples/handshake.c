// Two threads that each store and wait for the other's store: docs/ltl.md.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

#include <heddle.h>

atomic_int x, y;

static void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&y, memory_order_relaxed)) heddle_point("w0");
  for (;;) {
  }
  return unused;
}

static void *right(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  while (!atomic_load_explicit(&x, memory_order_relaxed)) heddle_point("w1");
  for (;;) {
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_exit(0);
}
