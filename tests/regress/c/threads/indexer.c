// what    indexer(N): N threads put 4 messages each into a hash table of 128 cells
// why     up to 11 threads never collide; the number of executions is known beyond (GenMC: 4096 for 15)
// with    -D N=2
// expect  sc,tso,pso holds
// because A thread of 12 and more collides in two orders at each of three cells; no load can be buffered.
// with    -D N=13 --engine graph --symmetry off
// expect  sc,rc11,armv8,riscv,rmo,power holds executions 64
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

enum { cells = 128, messages = 4 };
static atomic_int table[cells];

static void *put(void *argument) {
  int t = (int)(intptr_t)argument;
  for (int m = 0; m < messages; m++) {
    int message = t + m * 11, h = message * 7 % cells, empty = 0;
    while (!atomic_compare_exchange_strong_explicit(&table[h], &empty, message, memory_order_relaxed, memory_order_relaxed)) {
      h = (h + 1) % cells;
      empty = 0;
    }
  }
  return 0;
}

int main(void) {
  pthread_t thread;
  for (int i = 0; i < N; i++) pthread_create(&thread, 0, put, (void *)(intptr_t)i);
  pthread_exit(0); /* the others go on */
}
