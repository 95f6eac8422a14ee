// what    a store behind a longjmp whose target comes from a load
// why     it is a branch like any other, and orders the store behind the load
// expect  sc,rmo,armv8,riscv,power holds
// with    -D STRAIGHT
// expect  sc holds
// expect  rmo,armv8,riscv,power violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdatomic.h>

atomic_int x, y;
int first, second;

static void *jump(void *unused) {
  jmp_buf places[2];
  int r = atomic_load_explicit(&x, memory_order_relaxed);
#ifndef STRAIGHT
  if (!setjmp(places[0]))
    if (!setjmp(places[1])) longjmp(places[r ^ r], 1);
#else
  (void)places;
#endif
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  first = r;
  return unused;
}

static void *answer(void *unused) {
  int r = atomic_load_explicit(&y, memory_order_relaxed);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  second = r;
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, jump, 0);
  pthread_create(&b, 0, answer, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(first && second));
  return 0;
}
