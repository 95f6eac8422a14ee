// what    N threads increment a counter K times each, without a loop
// why     every interleaving of the increments is an execution, and there are no others: (N K)! / (K!)^N under every model
// with    -D N=3 -D K=2 --engine graph --symmetry off
// expect  sc,tso,pso,ra,rc11,armv8,riscv,rmo,power holds executions 90
// with    -D N=2 -D K=4 --engine graph --symmetry off
// expect  sc,tso,pso,ra,rc11,armv8,riscv,rmo,power holds executions 70
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *increment(void *unused) {
  for (int i = 0; i < K; i++) atomic_fetch_add_explicit(&counter, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, increment, 0);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  assert(atomic_load_explicit(&counter, memory_order_relaxed) == N * K);
  return 0;
}
