// what    store buffering with a lock of its own taken and given back between the two accesses of each thread
// why     to lock is an acquire and to unlock a release, on machines that reorder accesses too; there they were full fences
// options -p assertion
// expect  sc,tso,pso holds
// expect  rc11,rc20,armv8,armv8.1,riscv,power violated kind assertion at ERROR
// with    -D C11
// expect  sc,tso,pso holds
// expect  rc11,rc20,armv8,armv8.1,riscv,power violated kind assertion at ERROR
// with    -D SPIN
// expect  sc,tso,pso holds
// expect  rc11,armv8,riscv,power violated kind assertion at ERROR
// with    -D TRY
// expect  sc,tso,pso holds
// expect  rc11,armv8,riscv,power violated kind assertion at ERROR
// with    -D ONCE
// expect  sc,tso holds
// expect  rc11,armv8,riscv,power violated kind assertion at ERROR
// because With one lock for both threads one critical section comes first.
// with    -D SAME
// expect  sc,tso,pso,rc11,rc20,armv8,armv8.1,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <threads.h>

static atomic_int x, y;
static int seen;

#if defined C11
static mtx_t a, b;
#define PASS(m) (mtx_lock(&m), mtx_unlock(&m))
#elif defined SPIN
static pthread_spinlock_t a, b;
#define PASS(m) (pthread_spin_lock(&m), pthread_spin_unlock(&m))
#elif defined ONCE
static pthread_once_t a = PTHREAD_ONCE_INIT, b = PTHREAD_ONCE_INIT;
static void nothing(void) {}
#define PASS(m) pthread_once(&m, nothing)
#else
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
#ifdef TRY
#define PASS(m) (pthread_mutex_trylock(&m), pthread_mutex_unlock(&m))
#else
#define PASS(m) (pthread_mutex_lock(&m), pthread_mutex_unlock(&m))
#endif
#endif

static void *first(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  PASS(a);
  seen = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

int main(void) {
#if defined C11
  mtx_init(&a, mtx_plain);
  mtx_init(&b, mtx_plain);
#elif defined SPIN
  pthread_spin_init(&a, 0);
  pthread_spin_init(&b, 0);
#endif
  pthread_t t;
  pthread_create(&t, 0, first, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#ifdef SAME
  PASS(a);
#else
  PASS(b);
#endif
  const int other = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  assert(seen || other);  // ERROR
}
