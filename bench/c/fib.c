// fib(N): two threads add x and y into one of them N times each, a third looks. SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x = 1, y = 1;

static void add(atomic_int *to) {
  int a = atomic_load_explicit(&x, memory_order_acquire), b = atomic_load_explicit(&y, memory_order_acquire);
  atomic_store_explicit(to, a + b, memory_order_release);
}

static void *into_x(void *unused) {
  for (int i = 0; i < N; i++) add(&x);
  return unused;
}

static void *into_y(void *unused) {
  for (int i = 0; i < N; i++) add(&y);
  return unused;
}

static void *check(void *unused) {
  assert(atomic_load_explicit(&x, memory_order_acquire) <= 144 && atomic_load_explicit(&y, memory_order_acquire) <= 144);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, into_x, 0);
  pthread_create(&thread, 0, into_y, 0);
  pthread_create(&thread, 0, check, 0);
  pthread_exit(0);
}
