// what    store buffering whose loads stand in atomic sections of their own
// why     a section is a full fence, also where its only access is a load
// because Three executions: each load sees 0 or 1, not both 0.
// expect  sc,tso,pso,rmo,ra,rc11,armv8,riscv,power holds executions 3
// expect  lmo holds
// because each store is in memory before the section begins
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);

static atomic_int x, y;
static int seen_by_one, seen_by_main;

static int load(atomic_int* from) {
  __VERIFIER_atomic_begin();
  int value = atomic_load_explicit(from, memory_order_relaxed);
  __VERIFIER_atomic_end();
  return value;
}

static void* one(void* unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  seen_by_one = load(&y);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, one, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  seen_by_main = load(&x);
  pthread_join(thread, 0);
  assert(seen_by_one == 1 || seen_by_main == 1);
}
