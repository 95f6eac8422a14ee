// what    pthread_join of the first thread, which ends by pthread_exit
// why     the first thread stays until all others have ended, so that the two waited for each other
// expect  sc,tso,rc11,armv8 holds
// with    -D EARLY
// expect  rc11 violated kind race
// with    -D RETURNS
// expect  sc,tso,rc11,armv8 violated kind deadlock
// with    -D TWICE
// expect  sc,tso,rc11 violated kind misuse
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static pthread_t first;
static int data, value;

static void *run(void *unused) {
  void *result;
#ifdef EARLY
  data = 1;
#endif
  assert(pthread_join(first, &result) == 0);
  assert(result == &value && data == 5);
#ifdef TWICE
  pthread_join(first, 0);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  first = pthread_self();
  pthread_create(&t, 0, run, 0);
  data = 5;
#ifdef RETURNS
  pthread_join(t, 0);
#endif
  pthread_exit(&value);
}
