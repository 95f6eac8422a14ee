// what    loops that do nothing but choose
// why     such a round was told to the referee as a read that waits, and the answer was UNKNOWN
// because the thread may leave the loop, and waits for nothing
// expect  sc,tso,rc11 holds
// with    --property liveness
// other   explicit sc,tso refuses does not have --property liveness
// expect  sc,tso,rc11 holds
// with    --property livelock
// other   graph sc,tso refuses does not look for livelocks
// expect  sc,tso holds
// because it may not
// with    --property liveness -D STAYS
// other   explicit sc,tso refuses does not have --property liveness
// expect  sc,tso,rc11 violated kind liveness
// with    --property livelock -D STAYS
// other   graph sc,tso refuses does not look for livelocks
// expect  sc,tso violated kind livelock
// because another thread fails meanwhile
// with    -D FAILS
// expect  sc,tso,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *chooses(void *unused) {
  while (heddle_choose(2)) {
  }
  x = 1;
#ifdef STAYS
  for (;;) heddle_choose(3);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, chooses, 0);
#ifdef FAILS
  assert(x == 0);
#endif
  pthread_join(t, 0);
}
