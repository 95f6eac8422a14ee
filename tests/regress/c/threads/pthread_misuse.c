// what    misuse of threads and locks: use before initialisation and after destruction, joins of the wrong thread
// why     each is undefined and easy to miss
// with    -D CASE=1
// expect  sc violated kind uninitialised at ERROR1
// with    -D CASE=2
// expect  sc violated kind uninitialised at ERROR2
// with    -D CASE=3
// expect  sc violated kind uninitialised at ERROR3
// with    -D CASE=4
// expect  sc violated kind misuse at ERROR4
// with    -D CASE=5
// expect  sc violated kind misuse at ERROR5
// with    -D CASE=6
// expect  sc violated kind misuse at ERROR6
// with    -D CASE=7
// expect  sc violated kind uninitialised at ERROR7
// with    -D CASE=8
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static sem_t semaphore;

static void *run(void *unused) { return unused; }

int main(void) {
  pthread_t thread;
#if CASE == 1
  pthread_mutex_t *m = malloc(sizeof *m);
  pthread_mutex_lock(m); // ERROR1
  pthread_mutex_unlock(m);
  free(m);
#elif CASE == 2
  pthread_spinlock_t *s = malloc(sizeof *s);
  pthread_spin_lock(s); // ERROR2
  free((void *)s);
#elif CASE == 3
  pthread_mutex_destroy(&mutex);
  pthread_mutex_lock(&mutex); // ERROR3
#elif CASE == 4
  pthread_join(pthread_self(), 0); // ERROR4
#elif CASE == 5
  pthread_create(&thread, 0, run, 0);
  pthread_detach(thread);
  pthread_join(thread, 0); // ERROR5
#elif CASE == 6
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
  pthread_detach(thread); // ERROR6
#elif CASE == 7
  sem_init(&semaphore, 0, 1);
  sem_destroy(&semaphore);
  sem_post(&semaphore); // ERROR7
#else
  pthread_create(&thread, 0, run, 0);
  pthread_mutex_destroy(&mutex);
  pthread_mutex_init(&mutex, 0);
  pthread_mutex_lock(&mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
#endif
  return 0;
}
