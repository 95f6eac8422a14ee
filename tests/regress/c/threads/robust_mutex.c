// what    a thread that ends while it holds a mutex
// why     whoever locks it afterwards waits for ever, unless the mutex is robust: that is not supported, and no deadlock
// expect  sc,tso violated kind deadlock at WAITS
// with    -D STALLED
// expect  sc,tso violated kind deadlock at WAITS
// with    -D ROBUST
// expect  sc,tso unknown reason a robust mutex at
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;

static void *die(void *unused) {
  pthread_mutex_lock(&mutex);
  return unused;
}

int main(void) {
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifdef STALLED
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_STALLED) == 0);
  assert(pthread_mutexattr_setrobust(&attributes, 2) == EINVAL);
#endif
#ifdef ROBUST
  assert(pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST) == 0);
#endif
  pthread_mutex_init(&mutex, &attributes);
  pthread_t thread;
  pthread_create(&thread, 0, die, 0);
  pthread_join(thread, 0);
  assert(pthread_mutex_lock(&mutex) == EOWNERDEAD);  // WAITS
}
