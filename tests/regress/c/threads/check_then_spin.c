// what    a thread looks once, then waits in a loop, for a flag that another thread sets
// why     leaving the loop is no futile iteration of it: nobody waits for ever, and both ways through are executions
// options -p liveness
// other   explicit sc,tso refuses does not have --property liveness
// expect  sc,tso,rc11,armv8 holds executions 2
// because the first look sees 0 or 1; with 0, the loop ends once it sees 1
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int go;

static void *set(void *unused) {
  atomic_store(&go, 1);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_create(&other, 0, set, 0);
  if (atomic_load(&go) == 0)
    while (atomic_load(&go) != 1) continue;
  pthread_join(other, 0);
  return 0;
}
