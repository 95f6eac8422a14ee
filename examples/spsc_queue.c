// A queue for one producer and one consumer: a ring of two places, no lock.
//
//   heddle check examples/spsc_queue.c                     right under every model
//   heddle check examples/spsc_queue.c -D PUBLISH=relaxed  right on x86, wrong where stores are reordered
//   heddle check examples/spsc_queue.c -D FREE=relaxed --model lmo
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef PUBLISH
#define PUBLISH release
#endif
#ifndef FREE
#define FREE release
#endif
#ifndef ITEMS
#define ITEMS 3
#endif
#define ORDER_(name) memory_order_##name
#define ORDER(name) ORDER_(name)

enum { places = 2 };
static int ring[places];
static atomic_uint head, tail; // how many were taken, how many were put in

static int try_put(int item) {
  unsigned t = atomic_load_explicit(&tail, memory_order_relaxed);
  if (t - atomic_load_explicit(&head, memory_order_acquire) == places) return 0;
  ring[t % places] = item;
  atomic_store_explicit(&tail, t + 1, ORDER(PUBLISH));
  return 1;
}

// An item, or 0 if there is none.
static int try_take(void) {
  unsigned h = atomic_load_explicit(&head, memory_order_relaxed);
  if (h == atomic_load_explicit(&tail, memory_order_acquire)) return 0;
  int item = ring[h % places];
  atomic_store_explicit(&head, h + 1, ORDER(FREE));
  return item;
}

static void *produce(void *unused) {
  for (int i = 1; i <= ITEMS; i++)
    while (!try_put(i)) {
    }
  return unused;
}

int main(void) {
  pthread_t producer;
  pthread_create(&producer, 0, produce, 0);
  for (int i = 1; i <= ITEMS; i++) {
    int item;
    do item = try_take();
    while (!item);
    assert(item == i);
  }
  pthread_join(producer, 0);
  return 0;
}
