// what    thread-specific values under a key that was deleted, or never made
// why     undefined (POSIX, pthread_getspecific); getting one was not looked at
// with    -D CASE=1
// expect  sc,rc11 violated kind misuse at ERROR1
// with    -D CASE=2
// expect  sc,rc11 violated kind misuse at ERROR2
// with    -D CASE=3
// expect  sc,rc11 violated kind misuse at ERROR3
// with    -D CASE=4
// expect  sc,rc11 violated kind misuse at ERROR4
// because one thread may delete a key while another one uses a second key
// with    -D CASE=5
// expect  sc,tso,rc11,armv8 holds
// because getting and setting values is no fence: both threads may miss the other's store
// with    -D CASE=6
// expect  sc holds
// expect  tso,rc11,armv8 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static pthread_key_t key, other_key;
static int value;
static atomic_int x, y;
static int seen_x, seen_y;

static void *deletes(void *unused) {
  pthread_key_delete(other_key);
  return unused;
}

static void *uses(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  pthread_setspecific(key, &value);
  assert(pthread_getspecific(key) == &value);
  seen_y = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_key_create(&key, 0);
  pthread_key_create(&other_key, 0);
#if CASE == 1
  pthread_key_delete(key);
  pthread_getspecific(key); // ERROR1
#elif CASE == 2
  pthread_setspecific(key, &value);
  pthread_key_delete(key);
  pthread_getspecific(key); // ERROR2
#elif CASE == 3
  pthread_getspecific(key + 5); // ERROR3
#elif CASE == 4
  pthread_key_delete(key);
  pthread_setspecific(key, &value); // ERROR4
#elif CASE == 5
  pthread_create(&thread, 0, deletes, 0);
  uses(0);
  pthread_join(thread, 0);
#else
  pthread_create(&thread, 0, uses, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  pthread_setspecific(key, &value);
  seen_x = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(thread, 0);
  assert(seen_x == 1 || seen_y == 1);
#endif
  return 0;
}
