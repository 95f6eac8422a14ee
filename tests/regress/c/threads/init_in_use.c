// what    barriers that are initialised twice, or used without; the initialisation of a lock that is held
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
// with    -D CASE=7
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR7
// with    -D CASE=8
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR8
// with    -D CASE=9
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR9
// because One thread without choices has one execution.
// with    -D CASE=6
// expect  sc,tso,armv8,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <semaphore.h>
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
#elif CASE == 7
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_wrlock(&lock);
  pthread_rwlock_init(&lock, 0); // ERROR7
#elif CASE == 8
  pthread_spinlock_t lock;
  pthread_spin_init(&lock, 0);
  pthread_spin_lock(&lock);
  pthread_spin_init(&lock, 0); // ERROR8
#elif CASE == 9
  sem_t semaphore;
  sem_init(&semaphore, 0, 1);
  sem_destroy(&semaphore);
  sem_destroy(&semaphore); // ERROR9
#else
  pthread_rwlock_t *l = malloc(sizeof *l);
  memset(l, 1, sizeof *l);
  pthread_rwlock_init(l, 0);
  pthread_rwlock_wrlock(l);
  pthread_rwlock_unlock(l);
  pthread_rwlock_init(l, 0);
  free(l);
  pthread_spinlock_t spin = 1;
  pthread_spin_init(&spin, 0);
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
