// what    a normal mutex that its holder locks again
// why     the thread waits for itself for ever
// options --property deadlock
// expect  sc,tso,pso violated kind deadlock
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

int main(void) {
  pthread_mutex_t mutex;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
#ifdef MENDED
  pthread_mutexattr_settype(&attributes, PTHREAD_MUTEX_RECURSIVE);
#endif
  pthread_mutex_init(&mutex, &attributes);
  pthread_mutex_lock(&mutex);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_destroy(&mutex);
  return 0;
}
