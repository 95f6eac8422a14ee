// what    message passing from a critical section to a relaxed store behind it
// why     to unlock is a release, which orders nothing behind it; the runtime's own look at whose lock it was counted as
//         a control dependency of all later stores (riscv, rmo)
// options -p assertion
// because POWER has a fence in front of the store that unlocks, which orders all before it with all behind it.
// expect  sc,tso,power holds
// expect  rc11,armv8,armv8.1,riscv violated kind assertion at ERROR
// with    -D SPIN
// expect  sc,tso,power holds
// expect  rc11,armv8,armv8.1,riscv violated kind assertion at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
#ifdef SPIN
static pthread_spinlock_t lock;
#define LOCK pthread_spin_lock(&lock)
#define UNLOCK pthread_spin_unlock(&lock)
#else
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
#define LOCK pthread_mutex_lock(&lock)
#define UNLOCK pthread_mutex_unlock(&lock)
#endif

static void *writer(void *unused) {
  LOCK;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  UNLOCK;
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
#ifdef SPIN
  pthread_spin_init(&lock, 0);
#endif
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
  const int a = atomic_load_explicit(&y, memory_order_acquire);
  const int b = atomic_load_explicit(&x, memory_order_relaxed);
  assert(!(a == 1 && b == 0));  // ERROR
  pthread_join(t, 0);
}
