// what    two mutexes that two threads lock in different orders
// why     each holds what the other waits for
// options --property deadlock
// expect  sc,tso,pso violated kind deadlock
// because Two executions: either thread locks first.
// with    -D MENDED
// expect  sc,tso,pso holds executions 2
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void both(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *run(void *unused) {
#ifdef MENDED
  both(&a, &b);
#else
  both(&b, &a);
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, run, 0);
  both(&a, &b);
  pthread_join(other, 0);
  return 0;
}
