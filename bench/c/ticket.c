// N threads increment a counter under a ticket lock. SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_uint next, serving;
static int counter;

static void *count(void *unused) {
  unsigned mine = atomic_fetch_add_explicit(&next, 1, memory_order_relaxed);
  while (atomic_load_explicit(&serving, memory_order_acquire) != mine) continue;
  counter++;
  atomic_store_explicit(&serving, mine + 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, count, 0);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  assert(counter == N);
  return 0;
}
