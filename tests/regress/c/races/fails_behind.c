// what    a thread that fails right behind its access of a data race
// why     the referee took the failure for a contradiction of the race that graphs had found: the answer was UNKNOWN
// with    -D VALUE=0
// expect  ra,rc11,rc20 violated
// with    -D VALUE=1
// expect  ra,rc11,rc20 violated
// with    -D VALUE=2
// expect  ra,rc11,rc20 violated
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static int x;

static void *reads(void *unused) {
  assert(x == VALUE);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, reads, 0);
  x = 1;
  pthread_join(t, 0);
}
