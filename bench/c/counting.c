// counting(N,K): N threads count to K each by compare-exchange. SPDX-License-Identifier: Apache-2.0
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
