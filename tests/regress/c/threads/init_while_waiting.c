// what    the initialisation of a lock that is held for reading, of a semaphore or a condition variable with a waiting thread
// why     who holds it or waits there is forgotten; the verdict was SAFE
// with    -D CASE=1
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR1
// with    -D CASE=2
// expect  sc,tso,armv8 violated kind uninitialised at ERROR2
// expect  rc11 violated kind race
// with    -D CASE=3
// expect  sc,tso,armv8,rc11 violated kind misuse
// with    -D CASE=4
// expect  sc,tso,armv8,rc11 violated kind misuse
// because One thread without choices has one execution.
// with    -D CASE=5
// expect  sc,tso,armv8,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <semaphore.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
#if CASE == 3
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
#else
static pthread_cond_t condition;
#endif
static sem_t semaphore;
static int go;

static void *wait(void *unused) {
#if CASE == 2
  sem_wait(&semaphore); // ERROR2
#else
  pthread_mutex_lock(&mutex);
  while (!go) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
#if CASE == 1
  pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_init(&lock, 0); // ERROR1
#elif CASE == 2
  sem_init(&semaphore, 0, 0);
  pthread_create(&thread, 0, wait, 0);
  sem_init(&semaphore, 0, 1);
  pthread_join(thread, 0);
#elif CASE == 3 || CASE == 4
#if CASE == 4
  pthread_cond_init(&condition, 0);
#endif
  pthread_create(&thread, 0, wait, 0);
  pthread_mutex_lock(&mutex);
  pthread_cond_init(&condition, 0);
  go = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
#else
  pthread_rwlock_t *lock = malloc(sizeof *lock);
  memset(lock, 1, sizeof *lock); // whatever memory holds
  pthread_rwlock_init(lock, 0);
  for (int i = 0; i < 3; i++) pthread_rwlock_rdlock(lock);
  for (int i = 0; i < 3; i++) pthread_rwlock_unlock(lock);
  pthread_rwlock_init(lock, 0);
  pthread_rwlock_wrlock(lock);
  pthread_rwlock_unlock(lock);
  free(lock);
  pthread_cond_t *c = malloc(sizeof *c);
  memset(c, 1, sizeof *c);
  pthread_cond_init(c, 0);
  pthread_cond_destroy(c);
  pthread_cond_init(c, 0);
  pthread_cond_init(c, 0);
  free(c);
  sem_init(&semaphore, 0, 1);
  sem_wait(&semaphore);
  sem_init(&semaphore, 0, 1);
  sem_wait(&semaphore);
#endif
  return 0;
}
