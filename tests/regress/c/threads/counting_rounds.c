// what    N threads count to K each by a loop around a compare-exchange; a round that fails is a wait for the counter
// why     rounds are told apart by what they depend on, and nothing may be gathered there from round to round:
//         (N K)! / (K!)^N executions, which 244,644 were once where 1,680 exist
// with    -D N=3 -D K=2 --engine graph --symmetry off
// expect  sc,tso,pso,nsw,ra,rc11,armv8,armv8.1,riscv,rmo,power holds executions 90
// with    -D N=3 -D K=3 --engine graph --symmetry off
// expect  rc11,armv8,armv8.1,riscv,rmo,power holds executions 1680
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *count(void *unused) {
  for (int i = 0; i < K; i++) {
    int seen = atomic_load(&counter);
    while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1)) continue;
  }
  return unused;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, count, 0);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  assert(atomic_load(&counter) == N * K);
  return 0;
}
