// what    a weak compare-exchange, without a loop around it, on a variable that no other thread knows
// why     it may fail for no reason wherever the variable lives; --spurious-cas shows it
// expect  sc,pso,lmo holds
// with    --spurious-cas
// expect  sc,pso,lmo violated kind assertion
// with    --spurious-cas -D PASSED
// expect  sc,pso,lmo violated kind assertion
// with    --spurious-cas -D STRONG
// expect  sc,pso,lmo holds
// with    --spurious-cas -D MENDED
// expect  sc,pso,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Bool once(atomic_int *at) {
  int none = 0;
  return atomic_compare_exchange_weak(at, &none, 1);
}

static void *run(void *unused) {
  atomic_int own = 0;
  int none = 0;
#ifdef STRONG
  assert(atomic_compare_exchange_strong(&own, &none, 1));
#elif defined MENDED
  while (!atomic_compare_exchange_weak(&own, &none, 1)) none = 0;
  assert(own == 1);
#elif defined PASSED
  assert(once(&own));
#else
  assert(atomic_compare_exchange_weak(&own, &none, 1));
#endif
  (void)none, (void)once;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  pthread_join(thread, 0);
}
