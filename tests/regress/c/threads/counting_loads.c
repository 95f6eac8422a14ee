// what    counting(N,K): N threads, K times each: load, then compare-exchange until it succeeds, all seq_cst
// why     the number of executions is known (GenMC: 2, 6, 20, 6, 90, 1680, 24, 2520, 369600 for 2,1 2,2 2,3 3,1 3,2 3,3 4,1 4,2 4,3)
// with    -D N=2 -D K=1
// expect  sc,tso,pso holds
// with    -D N=2 -D K=2
// expect  sc,tso,pso holds
// with    -D N=3 -D K=1
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused) {
  for (int i = 0; i < K; i++) {
    int seen = atomic_load(&counter);
    while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1)) {
    }
  }
  return unused;
}

int main(void) {
  pthread_t threads[N];
  for (int i = 0; i < N; i++) pthread_create(&threads[i], 0, count, 0);
  for (int i = 0; i < N; i++) pthread_join(threads[i], 0);
  assert(atomic_load(&counter) == N * K);
  return 0;
}
