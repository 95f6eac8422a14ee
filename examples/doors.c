// Two threads that each close the other's door and stay in, for ever, if their own is still open: docs/repair.md.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

#include <heddle.h>

atomic_int left_closed, right_closed;

static void *left(void *unused) {
  atomic_store_explicit(&right_closed, 1, memory_order_relaxed);
  if (!atomic_load_explicit(&left_closed, memory_order_relaxed))
    for (;;) heddle_point("left_in");
  return unused;
}

static void *right(void *unused) {
  atomic_store_explicit(&left_closed, 1, memory_order_relaxed);
  if (!atomic_load_explicit(&right_closed, memory_order_relaxed))
    for (;;) heddle_point("right_in");
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_exit(0);
}
