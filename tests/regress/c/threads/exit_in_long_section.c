// what    exit in an atomic section of many accesses, while another thread has a store to its own object in the buffer
// why     the local state of a long step was asked for before it had a number (signal)
// with    -p assertion --engine explicit
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);

int counts[2], never;
atomic_int flag;

static void *worker(void *unused) {
  int *own = malloc(sizeof *own);
  *own = 1;
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
  while (!never) {
  }
  free(own);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, worker, 0);
  __VERIFIER_atomic_begin();
  for (int i = 0; i < 100; ++i) counts[i & 1]++;
  exit(0);
  __VERIFIER_atomic_end();
}
