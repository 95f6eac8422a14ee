// what    joining a thread twice, or one that was created detached
// why     the handle may belong to another thread by then
// with    -D CASE=1
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR1
// with    -D CASE=2
// expect  sc,tso,armv8,rc11 violated kind misuse
// with    -D CASE=3
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR3
// with    -D CASE=4
// expect  sc,tso,armv8,rc11 violated kind misuse at ERROR4
// with    -D CASE=5
// expect  sc,tso,armv8,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <threads.h>

static pthread_t first;

static void *run(void *unused) { return unused; }
static int run11(void *unused) { return 0; }
static void *join_first(void *unused) {
  pthread_join(first, 0);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
#if CASE == 1
  pthread_create(&first, 0, run, 0);
  pthread_join(first, 0);
  pthread_join(first, 0); // ERROR1
#elif CASE == 2 // by two threads
  pthread_create(&first, 0, run, 0);
  pthread_create(&other, 0, join_first, 0);
  pthread_join(first, 0);
  pthread_join(other, 0);
#elif CASE == 3
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_create(&first, &attributes, run, 0);
  pthread_join(first, 0); // ERROR3
#elif CASE == 4
  thrd_t thread;
  thrd_create(&thread, run11, 0);
  thrd_join(thread, 0);
  thrd_join(thread, 0); // ERROR4
#else
  pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_JOINABLE);
  pthread_create(&first, &attributes, run, 0);
  pthread_create(&other, 0, join_first, 0);
  pthread_join(other, 0);
#endif
  pthread_attr_destroy(&attributes);
  return 0;
}
