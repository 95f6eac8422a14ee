// what    between the creations of two equal threads an acquire fence: only the second one has what the load before it saw
// why     threads that differ in nothing but their place were taken for symmetric although the fence tells them apart
// expect  sc,tso,armv8 holds
// expect  rc11,rc20 violated kind assertion
// with    -D IN_FRONT
// expect  rc11,rc20 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int flag, message, clock_hand, early, late_without_message;

static void *send(void *unused) {
  atomic_store_explicit(&message, 1, memory_order_relaxed);
  atomic_store_explicit(&flag, 1, memory_order_release);
  return unused;
}

static void *turn(void *unused) {
  atomic_store_explicit(&clock_hand, 1, memory_order_relaxed);
  atomic_store_explicit(&clock_hand, 2, memory_order_relaxed);
  return unused;
}

// The one that sees 1 may be the later of the two only if it has the message.
static void *look(void *unused) {
  const int time = atomic_load_explicit(&clock_hand, memory_order_relaxed);
  const int received = atomic_load_explicit(&message, memory_order_relaxed);
  if (time == 1) atomic_store_explicit(&early, 1, memory_order_relaxed);
  if (time == 2 && !received) atomic_store_explicit(&late_without_message, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t sender, turner, first, second;
  pthread_create(&sender, 0, send, 0);
  pthread_create(&turner, 0, turn, 0);
  if (atomic_load_explicit(&flag, memory_order_relaxed)) {
#ifdef IN_FRONT
    atomic_thread_fence(memory_order_acquire);
#endif
    pthread_create(&first, 0, look, 0);
#ifndef IN_FRONT
    atomic_thread_fence(memory_order_acquire);
#endif
    pthread_create(&second, 0, look, 0);
    pthread_join(first, 0);
    pthread_join(second, 0);
    assert(!(early && late_without_message));
  }
  return 0;
}
