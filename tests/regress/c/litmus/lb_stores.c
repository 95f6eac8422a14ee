// what    load buffering beside two stores to one location and one to the location that is read early
// why     the store y = 1 keeps a promise and so stands before y = 5 in coherence; a revisit by x = 2 that deletes it did not
//         take it for the maximal extension, and the execution in which the load of x sees 2 was lost
// options -p assertion --engine graph
// because s may be 1 only if x = 2 comes before it is read, which no dependency or coherence forbids.
// expect  sc,tso,pso,ra,rc11 holds
// expect  armv8,armv8.1,riscv,power,rmo violated kind assertion
// with    -D THIRD
// because a thread that touches neither location changes nothing
// expect  sc,tso,pso,ra,rc11 holds
// expect  armv8,armv8.1,riscv,power,rmo violated kind assertion
// with    -D ORDER=memory_order_acquire
// because an acquire load of y comes before the stores
// expect  armv8,armv8.1,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

#ifndef ORDER
#define ORDER memory_order_relaxed
#endif
#define STORE(v, k) atomic_store_explicit(&v, k, memory_order_relaxed)

static atomic_int x, y, z;
static int seen;

static void* writer(void* unused) {
  (void)unused;
  const int s = atomic_load_explicit(&y, ORDER);
  STORE(x, 1);
  STORE(y, 5);
  STORE(x, 2);
  seen = s;
  return 0;
}

#ifdef THIRD
static void* bystander(void* unused) {
  (void)unused;
  STORE(z, 1);
  return 0;
}
#endif

int main(void) {
  pthread_t w;
  pthread_create(&w, 0, writer, 0);
#ifdef THIRD
  pthread_t b;
  pthread_create(&b, 0, bystander, 0);
#endif
  const int a = atomic_load_explicit(&x, memory_order_relaxed);
  if (a) STORE(y, 1);
  pthread_join(w, 0);
#ifdef THIRD
  pthread_join(b, 0);
#endif
  assert(!(a == 2 && seen == 1));
}
