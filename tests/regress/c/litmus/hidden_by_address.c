// what    a value that exists because of itself, through the address of a store (figure 22 of Ou and Demsky, OOPSLA 2018)
// why     under rmo a write need not wait for the addresses of earlier stores: graphs, which find reads of later writes from
// because Where it holds, two executions: main sees the initial x or the zero that is passed on; y is never written.
//         executions without them, said that this holds
// because with x = 1 the store goes to z[1], z[0] is 0 and y becomes 1, which the other thread passes on to x; elsewhere a write
//         waits for the addresses before it
// expect  sc,tso,pso,rc11,armv8,riscv,power holds executions 2
// expect  rmo unknown reason under rmo later writes overtake stores whose addresses are not known yet
// with    -D LATER
// expect  sc,tso,pso,rc11,armv8,riscv,power holds executions 2
// expect  rmo unknown reason under rmo later writes overtake stores whose addresses are not known yet
// because what main loads behind the join is in a phase of its own, and the verdict is still about the one before
// with    -D WAIT
// expect  sc,tso,pso,rc11,armv8,riscv,power holds executions 0
// expect  rmo unknown reason under rmo later writes overtake stores whose addresses are not known yet
// because main waits for another value than the one it has stored itself, with x = 0 for ever
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y, z[2];

static void* pass_on(void* unused) {
  atomic_store_explicit(&x, atomic_load_explicit(&y, memory_order_relaxed), memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, pass_on, 0);
  const int seen = atomic_load_explicit(&x, memory_order_relaxed);
  atomic_store_explicit(&z[seen], 1, memory_order_relaxed);
#ifdef WAIT
  while (atomic_load_explicit(&z[0], memory_order_relaxed) != 0);
#else
  if (atomic_load_explicit(&z[0], memory_order_relaxed) == 0)
#endif
    atomic_store_explicit(&y, 1, memory_order_relaxed);
  pthread_join(t, 0);
  assert(seen == 0);
#ifdef LATER
  assert(atomic_load_explicit(&y, memory_order_relaxed) == 0);
#endif
  return 0;
}
