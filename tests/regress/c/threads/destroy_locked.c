// what    a mutex that is destroyed while another thread holds it
// why     found only in the schedule in which it is held
// expect  sc,tso,pso violated
// with    -D MENDED
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void *hold(void *unused) {
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, hold, 0);
#ifdef MENDED
  pthread_join(other, 0);
  pthread_mutex_destroy(&mutex);
#else
  pthread_mutex_destroy(&mutex);
  pthread_join(other, 0);
#endif
  return 0;
}
