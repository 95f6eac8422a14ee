// what    a thread that the loop bound cuts off is joined
// why     whoever waits for it waits for the bound: that is no deadlock
// options --loop-bound 2
// expect  sc,rc11,armv8 holds up-to loop 2
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x;

static void *count(void *unused) {
  for (int i = 0; i < 5; i++) x++;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
