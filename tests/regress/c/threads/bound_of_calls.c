// what    a loop bound and four calls of one library function: no loop, so nothing is cut off
// why     places of the library were counted over all calls, and the answer was SAFE up to loop 3, having seen nothing
// options --loop-bound 3
// expect  sc,tso,armv8,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static void *nothing(void *unused) { return unused; }

int main(void) {
  pthread_t t[4];
  pthread_create(&t[0], 0, nothing, 0);
  pthread_create(&t[1], 0, nothing, 0);
  pthread_create(&t[2], 0, nothing, 0);
  pthread_create(&t[3], 0, nothing, 0);
  pthread_join(t[0], 0);
  pthread_join(t[1], 0);
  pthread_join(t[2], 0);
  pthread_join(t[3], 0);
  assert(0);
}
