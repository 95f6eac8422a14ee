// what    an acquire load that reads from a relaxed read-modify-write which continues a release store
// why     it synchronises with the head of the release sequence; a plain store in between would end it
// options --property race
// other   graph sc,tso,pso,nsw refuses whose axioms know none
// expect  sc,tso,pso,nsw holds
// with    -D OVERWRITTEN
// expect  sc,tso,pso,nsw violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static int data;
static atomic_int flag;

static void *middle(void *unused) {
#ifdef OVERWRITTEN
  if (atomic_load_explicit(&flag, memory_order_relaxed) == 1) atomic_store_explicit(&flag, 2, memory_order_relaxed);
#else
  int one = 1;
  atomic_compare_exchange_strong_explicit(&flag, &one, 2, memory_order_relaxed, memory_order_relaxed);
#endif
  return unused;
}

static void *reader(void *unused) {
  if (atomic_load_explicit(&flag, memory_order_acquire) == 2 && data != 1) __builtin_trap();
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, middle, 0);
  pthread_create(&b, 0, reader, 0);
  data = 1;
  atomic_store_explicit(&flag, 1, memory_order_release);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
