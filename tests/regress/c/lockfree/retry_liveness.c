// what     a counter that is raised by compare-exchange until that succeeds
// why      a round that fails because it read an old value is no endless loop: the next one reads a newer one. It was taken for
//          one, and only the replay refused it
// options  --property liveness
// other   explicit sc,tso,pso refuses does not have --property liveness
// expect   sc,tso,pso,ra,rc11  holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void* raise_it(void* unused) {
  int seen;
  do seen = atomic_load(&counter);
  while (!atomic_compare_exchange_strong(&counter, &seen, seen + 1));
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, raise_it, 0);
  pthread_create(&b, 0, raise_it, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
