// what    two threads wait for each other's locks while main returns without joining them
// why     a cycle of locks is a deadlock whatever other threads do, and main may end; graphs did not look at it then
// expect  sc,tso,pso,ra,rc11,armv8,power violated kind deadlock
// with    -D MENDED
// expect  sc,tso,pso,ra,rc11,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *forwards(void *unused) {
  take(&a, &b);
  return unused;
}

static void *backwards(void *unused) {
#ifdef MENDED
  take(&a, &b);
#else
  take(&b, &a);
#endif
  return unused;
}

int main(void) {
  pthread_t t, u;
  pthread_create(&t, 0, forwards, 0);
  pthread_create(&u, 0, backwards, 0);
  return 0;
}
