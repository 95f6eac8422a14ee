// what    a weak compare-exchange, without a loop around it, on a variable that no other thread knows
// why     it may fail for no reason wherever the variable lives: by default where the language or LL/SC lets it
// expect  sc,tso,pso,lmo,armv8.1 holds
// expect  ra,rc11,armv8,riscv,power violated kind assertion
// with    --spurious-cas
// expect  sc,pso,lmo,rc11,armv8,armv8.1 violated kind assertion
// with    --spurious-cas -D PASSED
// expect  sc,pso,lmo,rc11,armv8 violated kind assertion
// with    --spurious-cas -D STRONG
// expect  sc,pso,lmo,rc11,armv8 holds
// with    --spurious-cas -D MENDED
// expect  sc,pso,lmo holds
// expect  rc11,armv8,power holds executions 1
// with    --spurious-cas=off
// expect  sc,rc11,armv8,riscv,power holds
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
