// Two threads of N accesses each: to two variables by turns, or (-D SAME) each adds to one of them N/2 times, not atomically.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;

static void run(atomic_int *mine, atomic_int *other) {
  for (int i = 1; i <= N / 2; i++) {
#ifdef SAME
    (void)other;
    int seen = atomic_load_explicit(mine, memory_order_acquire);
    atomic_store_explicit(mine, seen + 1, memory_order_release);
#else
    atomic_store_explicit(mine, i, memory_order_release);
    (void)atomic_load_explicit(other, memory_order_acquire);
#endif
  }
}

static void *left(void *unused) {
  run(&x, &y);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, left, 0);
#ifdef SAME
  run(&x, &y);
#else
  run(&y, &x);
#endif
  pthread_join(thread, 0);
  return 0;
}
