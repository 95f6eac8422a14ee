// Two threads of N accesses each: to two variables by turns, or (-D SAME) each adds to one of them N/2 times, not atomically.
// With -D RELAXED loads can be buffered.
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

#ifdef RELAXED
#define RELEASE memory_order_relaxed
#define ACQUIRE memory_order_relaxed
#else
#define RELEASE memory_order_release
#define ACQUIRE memory_order_acquire
#endif

static atomic_int x, y;

static void run(atomic_int *mine, atomic_int *other) {
  for (int i = 1; i <= N / 2; i++) {
#ifdef SAME
    (void)other;
    int seen = atomic_load_explicit(mine, ACQUIRE);
    atomic_store_explicit(mine, seen + 1, RELEASE);
#else
    atomic_store_explicit(mine, i, RELEASE);
    (void)atomic_load_explicit(other, ACQUIRE);
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
