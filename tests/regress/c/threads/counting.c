// what    THREADS threads that each count INCS times with compare-exchange (LLMC thesis, section 5.2.1 and C.1)
// why     the thesis's first experiment and benchmark
// with    -D THREADS=2 -D INCS=1
// expect  sc,tso,pso,lmo holds
// with    -D THREADS=3 -D INCS=2
// expect  sc,tso,pso,lmo holds
// with    -D THREADS=4 -D INCS=1
// expect  sc,tso,pso,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused) {
  for (int i = 0; i < INCS; i++) {
    int seen = i;
    while (!atomic_compare_exchange_strong_explicit(&counter, &seen, seen + 1, memory_order_relaxed, memory_order_relaxed)) {
    }
  }
  return unused;
}

int main(void) {
  pthread_t others[THREADS - 1];
  for (int i = 0; i < THREADS - 1; i++) pthread_create(&others[i], 0, count, 0);
  count(0);
  for (int i = 0; i < THREADS - 1; i++) pthread_join(others[i], 0);
  assert(counter == THREADS * INCS);
  return 0;
}
