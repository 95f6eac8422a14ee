// what    programs written for GenMC and Dartagnan
// why     their headers and functions have a meaning here, too
// expect  sc,rc11 holds
// with    -D WRONG
// expect  sc,rc11 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <dat3m.h>
#include <genmc.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag, seen;

static void *run(void *unused) {
  __VERIFIER_loop_bound(3);
  await_while(!atomic_load(&flag)) {}
  atomic_store(&seen, __VERIFIER_tid());
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, run, 0);
  atomic_store(&flag, 1);
  pthread_join(thread, 0);
#ifdef WRONG
  __VERIFIER_assert(atomic_load(&seen) == 0);
#else
  __VERIFIER_assert(atomic_load(&seen) == 1);
#endif
  return 0;
}
