// what    two mutexes in two orders; their memory was set to zero byte by byte
// why     the owner of a mutex was read from the last byte of its word
// with    -p deadlock
// expect  sc,tso,rc11,armv8,power violated kind deadlock
// with    -p deadlock -D IN_ORDER
// expect  sc,tso,rc11,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

pthread_mutex_t a, b;

static void take(pthread_mutex_t *first, pthread_mutex_t *second) {
  pthread_mutex_lock(first);
  pthread_mutex_lock(second);
  pthread_mutex_unlock(second);
  pthread_mutex_unlock(first);
}

static void *a_then_b(void *unused) {
  take(&a, &b);
  return unused;
}

static void *b_then_a(void *unused) {
#ifdef IN_ORDER
  take(&a, &b);
#else
  take(&b, &a);
#endif
  return unused;
}

int main(void) {
  for (unsigned i = 0; i < sizeof a; ++i) ((char *)&a)[i] = ((char *)&b)[i] = 0;
  pthread_t one, two;
  pthread_create(&one, 0, a_then_b, 0);
  pthread_create(&two, 0, b_then_a, 0);
  return 0;
}
