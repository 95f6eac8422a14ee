// what    barriers that are initialised twice, or used without; the initialisation of a mutex that is locked
// why     who waits there, or holds it, is forgotten
// with    -D CASE=1
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR1
// with    -D CASE=2
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR2
// with    -D CASE=3
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR3
// with    -D CASE=4
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR4
// with    -D CASE=5
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR5
// because One thread without choices has one execution.
// with    -D CASE=6
// expect  sc,tso,armv8,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static pthread_barrier_t barrier;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
#if CASE == 1
  pthread_barrier_wait(&barrier); // ERROR1
#elif CASE == 2
  pthread_barrier_init(&barrier, 0, 1);
  pthread_barrier_init(&barrier, 0, 1); // ERROR2
#elif CASE == 3
  pthread_mutex_lock(&mutex);
  pthread_mutex_init(&mutex, 0); // ERROR3
#elif CASE == 4
  pthread_barrier_t *b = malloc(sizeof *b);
  pthread_barrier_wait(b); // ERROR4
#elif CASE == 5
  pthread_barrier_init(&barrier, 0, 1);
  pthread_barrier_destroy(&barrier);
  pthread_barrier_wait(&barrier); // ERROR5
#else
  pthread_barrier_init(&barrier, 0, 1);
  pthread_barrier_wait(&barrier);
  pthread_barrier_destroy(&barrier);
  pthread_barrier_init(&barrier, 0, 1);
  pthread_barrier_wait(&barrier);
  pthread_mutex_t *m = malloc(sizeof *m); // whatever memory holds
  pthread_mutex_init(m, 0);
  pthread_mutex_destroy(m);
  memset(m, 0xff, sizeof *m);
  pthread_mutex_init(m, 0);
  pthread_mutex_lock(m);
  pthread_mutex_unlock(m);
  pthread_mutex_init(m, 0);
  free(m);
#endif
  return 0;
}
