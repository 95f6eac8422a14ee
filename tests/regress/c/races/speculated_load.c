// what    message passing in which the optimiser may load the message before it knows that there is one
// why     the compiled program had a load that the source has not: a data race of the compiler's making, a false alarm
// with    -O 1
// expect  rc11 holds
// with    -O 2
// expect  rc11 holds
// with    -O 2 -D EARLY
// expect  rc11 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int ready;
int message;

static void *sends(void *unused) {
  message = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return unused;
}

int main(void) {
  pthread_t sender;
  pthread_create(&sender, 0, sends, 0);
#ifdef EARLY
  int seen = message;
  if (atomic_load_explicit(&ready, memory_order_acquire)) assert(seen == 42);
#else
  if (atomic_load_explicit(&ready, memory_order_acquire)) assert(message == 42);
#endif
  pthread_join(sender, 0);
  assert(message == 42);
  return 0;
}
