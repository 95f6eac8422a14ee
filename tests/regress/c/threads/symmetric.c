// what    threads of one function with equal arguments, and what may tell them apart all the same
// why     graphs take such threads for symmetric: an error that only one order of them has must still be found
// with    -D CASE=1
// expect  sc,tso,rc11 holds
// with    -D CASE=2
// expect  sc,tso violated kind assertion
// expect  rc11 violated kind race
// with    -D CASE=3
// expect  sc,tso,rc11 violated kind assertion
// with    -D CASE=4
// expect  sc,tso,rc11 violated kind assertion
// with    -D CASE=5
// expect  sc,tso,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int sum;
static atomic_int tickets, seen;
static pthread_t threads[2];

static void *run(void *unused) {
  pthread_mutex_lock(&mutex);  // its owner is known by number, but only to itself
  sum++;
  pthread_mutex_unlock(&mutex);
  int ticket = atomic_fetch_add(&tickets, 1);
#if CASE == 2  // only the second thread, and only if it is the first to come
  if (ticket == 0 && pthread_equal(pthread_self(), threads[1])) atomic_store(&seen, 1);
#elif CASE == 4
  return (void *)(uintptr_t)(ticket + 1);
#endif
  (void)ticket;
  return unused;
}

int main(void) {
  for (int i = 0; i < 2; i++) {
    pthread_create(&threads[i], 0, run, 0);
#if CASE == 3  // the first thread alone may have come by now
    if (i == 0 && atomic_load(&tickets) == 1) atomic_store(&seen, 1);
#endif
  }
  void *result = 0;
  pthread_join(threads[0], &result);
#if CASE == 5  // the other one may not have come yet
  if (atomic_load(&tickets) == 1) atomic_store(&seen, 1);
#endif
  assert(result != (void *)2);
  pthread_join(threads[1], 0);
  assert(sum == 2 && atomic_load(&tickets) == 2);
  assert(!atomic_load(&seen));
  return 0;
}
