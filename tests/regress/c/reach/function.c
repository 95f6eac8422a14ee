// what    a function that is called only where both threads miss each other's store
// why     --reach function:NAME asks whether any run calls it
// options --reach function:both_in
// expect  sc holds
// expect  tso,pso violated kind reach at REACHED
// with    --reach function:never
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int missed, calls;

static void both_in(void) {
  calls = 1; // REACHED
}
static void never(void) { calls = 2; }

static void *other(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  missed = !atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  const int mine = !atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  if (mine && missed) both_in();
  if (missed == 7) never();
  return 0;
}
