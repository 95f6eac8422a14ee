// what    a thread that goes round for ever without any visible action
// why     it never ends, but it is no error by itself: it must not hide what the others do wrong
// expect  sc,tso,lmo holds
// with    --engine explicit
// expect  sc,tso,lmo holds
// with    --engine explicit --por off
// expect  sc,tso holds
// with    -D FAILS
// expect  sc,tso,lmo violated kind assertion
// with    --engine explicit -D FAILS
// expect  sc,tso,lmo violated kind assertion
// with    --property livelock
// other   graph sc,tso refuses does not look for livelocks
// expect  sc,tso holds
// with    -D JOINED
// expect  sc,tso,lmo holds
// with    --engine explicit -D JOINED
// expect  sc,tso,lmo holds
// with    --property livelock -D JOINED
// other   graph sc,tso refuses does not look for livelocks
// expect  sc,tso violated kind livelock
// with    --property liveness -D JOINED
// other   explicit sc,tso refuses does not have --property liveness
// expect  sc,tso,rc11 violated kind liveness
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *run(void *unused) {
  x = 2;
  for (;;) {
  }
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  x = 1;
#ifdef FAILS
  assert(x == 1);
#endif
#ifdef JOINED
  pthread_join(thread, 0);
#endif
}
