// what    the queue lock of Mellor-Crummey and Scott around a counter
// why     each waits at a word of its own; handing the lock over must not pass what it guards
// with    -D HAND_OVER=release
// expect  sc,tso,pso,lmo holds
// with    -D HAND_OVER=relaxed
// expect  sc,tso holds
// expect  pso,lmo violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

typedef struct Waiter {
  struct Waiter *_Atomic next;
  atomic_int waits;
} Waiter;
static Waiter *_Atomic last;
static int counter;

static void *run(void *unused) {
  Waiter me;
  atomic_init(&me.next, 0);
  atomic_init(&me.waits, 1);
  Waiter *before = atomic_exchange_explicit(&last, &me, memory_order_acq_rel);
  if (before) {
    atomic_store_explicit(&before->next, &me, memory_order_release);
    while (atomic_load_explicit(&me.waits, memory_order_acquire)) {
    }
  }
  counter = counter + 1;
  Waiter *after = atomic_load_explicit(&me.next, memory_order_acquire);
  if (!after) {
    Waiter *expected = &me;
    if (atomic_compare_exchange_strong_explicit(&last, &expected, 0, memory_order_acq_rel, memory_order_acquire)) return unused;
    while (!(after = atomic_load_explicit(&me.next, memory_order_acquire))) {
    }
  }
  atomic_store_explicit(&after->waits, 0, MO(HAND_OVER));
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  run(0);
  pthread_join(other, 0);
  assert(counter == 2);
  return 0;
}
