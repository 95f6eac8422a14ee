// what    lastzero(N): writer i sets cell i to one more than cell i-1; a reader scans back for the last zero
// why     the number of executions is known (GenMC: 3328 for 10, 147456 for 15)
// because (N + 3) * 2^(N - 2) executions, which gives GenMC's figures for 10 and 15, too.
// with    -D N=2
// expect  sc,tso,pso holds executions 5
// expect  lmo holds
// with    -D N=3
// expect  sc,tso,pso holds executions 12
// because No load can be buffered, so hardware has the executions of the language.
// with    -D N=10 --engine graph --symmetry off
// expect  sc,rc11,armv8,riscv,rmo,power holds executions 3328
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int cells[N + 1];

static void *write_cell(void *argument) {
  int i = (int)(intptr_t)argument;
  int before = atomic_load_explicit(&cells[i - 1], memory_order_acquire);
  atomic_store_explicit(&cells[i], before + 1, memory_order_release);
  return 0;
}

static void *scan(void *unused) {
  int i = N;
  while (atomic_load_explicit(&cells[i], memory_order_acquire) != 0) i--;
  assert(i >= 0);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, scan, 0);
  for (int i = 1; i <= N; i++) pthread_create(&thread, 0, write_cell, (void *)(intptr_t)i);
  pthread_exit(0); /* the others go on */
}
