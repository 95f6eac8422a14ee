// what    the ids of threads are ordered, or calculated with
// why     no standard says how they are ordered: the verdict must say what it takes for granted
// assumes the ids of threads grow in the order of their creation, and their order does not matter where different threads create them
// expect  sc,tso,rc11 holds
// with    -D SELF
// expect  sc,tso,rc11 holds
// with    -D EQUAL
// assumes nothing
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_t first;

static void *run(void *unused) {
#ifdef SELF
  assert((uintptr_t)pthread_self() % 8 != 7);
#endif
  return unused;
}

int main(void) {
  pthread_t threads[2];
  first = pthread_self();
  pthread_create(&threads[0], 0, run, 0);
  pthread_create(&threads[1], 0, run, 0);
#if defined EQUAL
  assert(!pthread_equal(first, threads[1]) && threads[0] != threads[1]);
#elif !defined SELF
  assert((uintptr_t)threads[0] < (uintptr_t)threads[1]);
#endif
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
}
