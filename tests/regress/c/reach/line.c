// what    a line that is run only if a message arrives before what it announces
// why     --reach FILE:LINE asks whether any run gets there, and how
// options --reach line.c:29
// expect  sc,tso holds
// expect  pso violated kind reach at REACHED
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int data, flag;
static int early;

static void *reader(void *unused) {
  const int told = atomic_load_explicit(&flag, memory_order_relaxed);
  const int seen = atomic_load_explicit(&data, memory_order_relaxed);
  early = told && !seen;
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reader, 0);
  atomic_store_explicit(&data, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  pthread_join(t, 0);

  if (early)
    // the line:
    early = 2; // REACHED
  return 0;
}
