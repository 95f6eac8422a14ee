// what    each thread stores and waits for the other's store; once it has come, nobody waits any more
// why     the example of section 3.1 of Štill, Ročkai and Barnat, "Weak Memory Models as LLVM-to-LLVM Transformations": it
//         holds only if threads get their turns and stores arrive
// options --ltl 'F G (!w0 && !w1)'
// expect  sc,tso,pso,lmo,nsw violated kind ltl
// with    --fair
// expect  sc,tso,pso,lmo,nsw holds
// with    --fair --memory-fairness off
// expect  sc holds
// expect  tso,pso,lmo,nsw violated kind ltl
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>

#include <heddle.h>

static _Atomic bool x, y;

static void *thread0(void *unused) {
  atomic_store_explicit(&y, true, memory_order_relaxed);
  while (!atomic_load_explicit(&x, memory_order_relaxed)) heddle_point("w0");
  for (;;) {
  }
  return unused;
}

static void *thread1(void *unused) {
  atomic_store_explicit(&x, true, memory_order_relaxed);
  while (!atomic_load_explicit(&y, memory_order_relaxed)) heddle_point("w1");
  for (;;) {
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, thread0, 0);
  pthread_create(&b, 0, thread1, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
