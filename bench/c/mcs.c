// N threads increment a counter under the queue lock of Mellor-Crummey and Scott. SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

typedef struct Waiter {
  struct Waiter *_Atomic next;
  atomic_int waits;
} Waiter;
static Waiter waiters[N];
static Waiter *_Atomic last;
static int counter;

static void *count(void *argument) {
  Waiter *me = &waiters[(intptr_t)argument];
  atomic_store_explicit(&me->waits, 1, memory_order_relaxed);
  Waiter *before = atomic_exchange_explicit(&last, me, memory_order_acq_rel);
  if (before) {
    atomic_store_explicit(&before->next, me, memory_order_release);
    while (atomic_load_explicit(&me->waits, memory_order_acquire)) continue;
  }
  counter++;
  Waiter *after = atomic_load_explicit(&me->next, memory_order_acquire);
  if (!after) {
    Waiter *expected = me;
    if (atomic_compare_exchange_strong_explicit(&last, &expected, 0, memory_order_release, memory_order_relaxed)) return 0;
    while (!(after = atomic_load_explicit(&me->next, memory_order_acquire))) continue;
  }
  atomic_store_explicit(&after->waits, 0, memory_order_release);
  return 0;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, count, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  assert(counter == N);
  return 0;
}
