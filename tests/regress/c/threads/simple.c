// what    two threads each write their own variable and read the other's; both reads give zero (DIVINE's simple)
// why     holds under sc only; plain accesses, and results in shared variables
// because Three executions: each read sees 0 or 1, not both 0.
// expect  sc holds executions 3
// expect  tso,pso,lmo violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static volatile int x, y, seen_x, seen_y;

static void *first(void *unused) {
  x = 1;
  seen_y = y;
  return unused;
}
static void *second(void *unused) {
  y = 1;
  seen_x = x;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, first, 0);
  pthread_create(&b, 0, second, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(seen_x || seen_y);
  return 0;
}
