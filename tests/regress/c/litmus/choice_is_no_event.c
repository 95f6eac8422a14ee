// what    a seq_cst store and a release write to the same location, with a choice or an allocation between the two
// why     what the model does not know of was taken for an event at another location, which orders seq_cst events
// expect  rc11,rc20 violated kind assertion
// with    -D CHOICE
// expect  rc11,rc20 violated kind assertion
// with    -D WEAK
// expect  rc11,rc20 violated kind assertion
// with    -D ALLOCATION -p assertion
// expect  rc11,rc20 violated kind assertion
// with    -D ELSEWHERE
// expect  rc11,rc20 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern _Bool __VERIFIER_nondet_bool(void);

atomic_int x, y, other;
int first, second, third;

static void *write_twice(void *unused) {
  atomic_store(&x, 1);
#ifdef CHOICE
  __VERIFIER_nondet_bool();
#elif defined ALLOCATION
  (void)malloc(8);
#elif defined ELSEWHERE
  atomic_store(&other, 1);
#endif
#ifdef WEAK
  int one = 1;
  atomic_compare_exchange_weak_explicit(&x, &one, 2, memory_order_release, memory_order_relaxed);
#else
  atomic_store_explicit(&x, 2, memory_order_release);
#endif
  return unused;
}

static void *read_both(void *unused) {
  first = atomic_load_explicit(&x, memory_order_acquire);
  second = atomic_load(&y);
  return unused;
}

static void *write_and_read(void *unused) {
  atomic_store(&y, 1);
  third = atomic_load(&x);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, write_twice, 0);
  pthread_create(&threads[1], 0, read_both, 0);
  pthread_create(&threads[2], 0, write_and_read, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(!(first == 2 && second == 0 && third == 0));
  return 0;
}
