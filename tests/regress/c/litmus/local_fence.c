// what    store buffering with an atomic operation on a local variable between the store and the load
// why     a locked instruction is a fence wherever its operand is; no event was made for variables that stay in their thread
// expect  sc,tso,pso,armv8.1 holds
// expect  rc11,armv8 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int seen_x, seen_y;

static void *first(void *unused) {
  atomic_int local = 0;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_fetch_add(&local, 1);
  seen_y = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

static void *second(void *unused) {
  atomic_int local = 0;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  atomic_fetch_add(&local, 1);
  seen_x = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, 0);
  pthread_join(u, 0);
  assert(seen_x || seen_y);
}
