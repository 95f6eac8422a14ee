// what    two threads that poll under one lock for what nobody sets
// why     in every graph one of them waits for the lock that the other holds in its round; none of these was looked at
// because The two go on for ever; what a third thread does is not affected.
// expect  sc,tso,rc11,armv8,power,riscv,rmo violated kind assertion at THIRD
// with    -D CYCLE
// expect  sc,tso,rc11,armv8,power violated kind deadlock
// with    -D FINE
// expect  sc,tso,rc11,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int first, second;
atomic_int x;

static void *poll_first(void *unused) {
  int found;
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  do {
    pthread_mutex_lock(&lock);
    found = first;
    pthread_mutex_unlock(&lock);
  } while (!found);
  return unused;
}

static void *poll_second(void *unused) {
  pthread_mutex_lock(&lock);
  while (!second) {
    pthread_mutex_unlock(&lock);
    pthread_mutex_lock(&lock);
  }
  pthread_mutex_unlock(&lock);
  return unused;
}

#ifdef CYCLE
pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;

static void *other_order(void *unused) {
  pthread_mutex_lock(&b);
  pthread_mutex_lock(&a);
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return unused;
}
#endif

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, poll_first, 0);
  pthread_create(&threads[1], 0, poll_second, 0);
#ifdef CYCLE
  pthread_create(&threads[2], 0, other_order, 0);
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  pthread_join(threads[2], 0);
#elif !defined FINE
  assert(atomic_load_explicit(&x, memory_order_relaxed) == 0);  // THIRD
#endif
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  return 0;
}
