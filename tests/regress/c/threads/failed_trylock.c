// what    a trylock that fails does not synchronise with the thread that holds the lock
// why     POSIX leaves that open for calls that return an error, and C11 promises it for success only; it was assumed
// options -p assertion
// expect  sc,tso,pso,ra holds
// expect  rc11,rc20,armv8,riscv,power violated kind assertion at ERROR
// with    -D SPIN
// expect  sc,tso,pso holds
// expect  rc11,armv8,power violated kind assertion at ERROR
// with    -D SEMAPHORE
// expect  sc,tso,pso holds
// expect  rc11,armv8,power violated kind assertion at ERROR
// with    -D WRITE
// expect  sc,tso,pso holds
// expect  rc11,armv8,power violated kind assertion at ERROR
// with    -D WRITE -D READ
// expect  sc,tso,pso holds
// expect  rc11,armv8,power violated kind assertion at ERROR
// because A trylock that succeeds does synchronise.
// with    -D TAKEN
// expect  sc,tso,pso,ra,rc11,rc20,armv8,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>

static atomic_int x;
#ifdef SPIN
static pthread_spinlock_t l;
#define LOCK() pthread_spin_lock(&l)
#define TRY() pthread_spin_trylock(&l)
#elif defined SEMAPHORE
static sem_t s;
#define LOCK() sem_wait(&s)
#define TRY() sem_trywait(&s)
#elif defined WRITE
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
#define LOCK() pthread_rwlock_wrlock(&l)
#ifdef READ
#define TRY() pthread_rwlock_tryrdlock(&l)
#else
#define TRY() pthread_rwlock_trywrlock(&l)
#endif
#else
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
#define LOCK() pthread_mutex_lock(&m)
#define TRY() pthread_mutex_trylock(&m)
#endif

static void *holds(void *unused) {
#ifdef TAKEN
  LOCK();
#endif
  atomic_store_explicit(&x, 1, memory_order_relaxed);
#ifdef TAKEN
  pthread_mutex_unlock(&m);
#else
  LOCK();
#endif
  return unused;
}

int main(void) {
#ifdef SPIN
  pthread_spin_init(&l, 0);
#elif defined SEMAPHORE
  sem_init(&s, 0, 1);
#endif
  pthread_t t;
  pthread_create(&t, 0, holds, 0);
#ifdef TAKEN
  if (TRY() == 0) {
    int now = atomic_load_explicit(&x, memory_order_relaxed);
    assert(now == atomic_load_explicit(&x, memory_order_relaxed));  // nobody writes while the lock is held
    pthread_mutex_unlock(&m);
  }
#else
  if (TRY() != 0) assert(atomic_load_explicit(&x, memory_order_relaxed));  // ERROR
#endif
}
