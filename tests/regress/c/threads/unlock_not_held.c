// what    a mutex that is unlocked by a thread that does not hold it
// why     undefined for normal mutexes, so it is an error
// expect  sc,tso,pso violated kind misuse
// with    -D MENDED
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused) {
  pthread_mutex_lock(&mutex);
#ifdef MENDED
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, hold, 0);
  pthread_join(other, 0);
#ifndef MENDED
  pthread_mutex_unlock(&mutex);
#endif
  return 0;
}
