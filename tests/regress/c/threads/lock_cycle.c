// what    two threads that wait for each other's locks while another one goes on
// why     a cycle of lock owners is a deadlock whatever the others do
// options --property deadlock
// expect  sc,tso,pso,armv8,rc11 violated kind deadlock
// with    -D IDLE
// expect  sc,tso,armv8,rc11 violated kind deadlock
// with    -D MENDED
// expect  sc,tso,pso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static atomic_int done;

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

static void *watch(void *unused) {
#ifdef IDLE
  for (;;) {}
#else
  while (!atomic_load(&done)) {}
#endif
  return unused;
}

int main(void) {
  pthread_t other, watcher;
  pthread_create(&watcher, 0, watch, 0);
  pthread_create(&other, 0, run, 0);
  both(&a, &b);
  pthread_join(other, 0);
  atomic_store(&done, 1);
  return 0;
}
