// what    an atomic section that chooses again and again
// why     every choice was one call deeper, and the stack came to its end (signal)
// with    --engine explicit
// expect  sc,tso unknown reason an atomic section makes more than a thousand choices
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern _Bool __VERIFIER_nondet_bool(void);

int x;

static void *increments(void *unused) {
  x++;
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, increments, 0);
  __VERIFIER_atomic_begin();
  while (!__VERIFIER_nondet_bool()) x ^= 1;
  __VERIFIER_atomic_end();
  pthread_join(thread, 0);
  return 0;
}
