// what    threads that share plain data through each kind of lock the library has, and print
// why     every one of them orders accesses; none of the library's own accesses is a race
// options --property race
// other   graph sc,tso,pso refuses whose axioms know none
// with    -D BARRIER
// expect  sc,tso,pso holds
// with    -D CONDITION
// expect  sc,tso,pso holds
// with    -D SEMAPHORE
// expect  sc,tso,pso holds
// with    -D READERS
// expect  sc,tso,pso holds
// with    -D SPIN
// expect  sc,tso,pso holds
// with    -D ONCE
// expect  sc,tso,pso holds
// with    -D PRINT
// expect  sc,tso,pso holds
// with    -D NOTHING
// expect  sc,tso,pso violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static int data, seen;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static pthread_rwlock_t shared = PTHREAD_RWLOCK_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_barrier_t both;
static pthread_spinlock_t spin;
static sem_t ready;

static void set(void) { data = 1; }

static void *first(void *unused) {
#if defined BARRIER
  set();
  pthread_barrier_wait(&both);
#elif defined CONDITION
  pthread_mutex_lock(&lock);
  set();
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&lock);
#elif defined SEMAPHORE
  set();
  sem_post(&ready);
#elif defined READERS
  pthread_rwlock_wrlock(&shared);
  set();
  pthread_rwlock_unlock(&shared);
#elif defined SPIN
  pthread_spin_lock(&spin);
  set();
  pthread_spin_unlock(&spin);
#elif defined ONCE
  pthread_once(&once, set);
#elif defined PRINT
  puts("first");
#else
  set();
#endif
  return unused;
}

static void second(void) {
#if defined BARRIER
  pthread_barrier_wait(&both);
  seen = data;
#elif defined CONDITION
  pthread_mutex_lock(&lock);
  while (!data) pthread_cond_wait(&changed, &lock);
  pthread_mutex_unlock(&lock);
#elif defined SEMAPHORE
  sem_wait(&ready);
  seen = data;
#elif defined READERS
  pthread_rwlock_rdlock(&shared);
  seen = data;
  pthread_rwlock_unlock(&shared);
#elif defined SPIN
  pthread_spin_lock(&spin);
  seen = data;
  pthread_spin_unlock(&spin);
#elif defined ONCE
  pthread_once(&once, set);
  seen = data;
#elif defined PRINT
  puts("second");
#else
  seen = data;
#endif
}

int main(void) {
  pthread_t t;
  pthread_barrier_init(&both, 0, 2);
  pthread_spin_init(&spin, 0);
  sem_init(&ready, 0, 0);
  pthread_create(&t, 0, first, 0);
  second();
  pthread_join(t, 0);
  (void)lock, (void)changed, (void)shared, (void)once;
  return 0;
}
