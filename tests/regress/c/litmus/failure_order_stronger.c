// what    a compare-exchange that fails, with a stronger order than it succeeds with
// why     revisited, the read had no order yet when it was looked at, and the witness did not replay
// expect  armv8,armv8.1,riscv holds
// with    -D ACQUIRE
// expect  armv8,armv8.1 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifdef ACQUIRE
enum { success = memory_order_release, failure = memory_order_acquire };
#else
enum { success = memory_order_relaxed, failure = memory_order_seq_cst };
#endif

atomic_int x, y;
int seen_x, seen_y;

static void *fenced(void *unused) {
  atomic_store_explicit(&y, 6, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  seen_x = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

static void *exchanges(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_release);
  int expected = 5;
  atomic_compare_exchange_strong_explicit(&y, &expected, 7, success, failure);
  seen_y = expected;
  return unused;
}

static void *stores(void *unused) {
  atomic_store_explicit(&y, 3, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, fenced, 0);
  pthread_create(&threads[1], 0, exchanges, 0);
  pthread_create(&threads[2], 0, stores, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(!(seen_x == 0 && seen_y == 3 && y == 6));
  return 0;
}
