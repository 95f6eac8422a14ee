// what    a sequence lock (Boehm, MSPC 2012): one writer, and readers that accept only what did not change meanwhile
// why     four orders, two at each side; x86 needs none of them, machines that reorder stores need the writer's, all others all four
// because 18 executions: the sequence never goes back between the two looks; 0 and 0, 2 and 2 determine left and right,
//         and each of the other four pairs leaves both free. 1 + 1 + 4 * 4.
// expect  sc,tso,pso holds executions 18
// expect  nsw,ra,rc11,armv8,power,rmo,riscv,lmo holds
// with    -D BEGIN_WRITE=relaxed
// expect  sc,tso holds executions 18
// expect  ra holds
// expect  pso,nsw,rc11,armv8,power,rmo,riscv,lmo violated kind assertion
// with    -D END_WRITE=relaxed
// expect  sc,tso holds executions 18
// expect  ra holds
// expect  pso,nsw,rc11,armv8,power,rmo,riscv,lmo violated kind assertion
// with    -D BEGIN_READ=relaxed
// expect  sc,tso,pso holds executions 18
// expect  ra holds
// expect  nsw,rc11,armv8,power,rmo,riscv violated kind assertion
// with    -D END_READ=relaxed
// expect  sc,tso,pso holds executions 18
// expect  ra holds
// expect  nsw,rc11,armv8,power,rmo,riscv,lmo violated kind assertion
// because Three threads. A reader alone has 18 executions, and readers do not see each other.
// with    -D READERS=2 --engine graph --symmetry off
// expect  sc,rc11,armv8,riscv,rmo,power holds executions 324
// with    -D READERS=2 -D END_READ=relaxed
// expect  rc11,armv8 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

#ifndef BEGIN_WRITE
#define BEGIN_WRITE release
#endif
#ifndef END_WRITE
#define END_WRITE release
#endif
#ifndef BEGIN_READ
#define BEGIN_READ acquire
#endif
#ifndef END_READ
#define END_READ acquire
#endif

#ifndef READERS
#define READERS 1
#endif

static atomic_uint sequence;
static atomic_int left, right;

static void *write_once(void *unused) {
  atomic_store_explicit(&sequence, 1, memory_order_relaxed);
  atomic_thread_fence(MO(BEGIN_WRITE));
  atomic_store_explicit(&left, 1, memory_order_relaxed);
  atomic_store_explicit(&right, 1, memory_order_relaxed);
  atomic_store_explicit(&sequence, 2, MO(END_WRITE));
  return unused;
}

static void *read_once(void *unused) {
  unsigned before = atomic_load_explicit(&sequence, MO(BEGIN_READ));
  int l = atomic_load_explicit(&left, memory_order_relaxed);
  int r = atomic_load_explicit(&right, memory_order_relaxed);
  atomic_thread_fence(MO(END_READ));
  unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
  if (before == after && before % 2 == 0) assert(l == r);
  return unused;
}

int main(void) {
  pthread_t others[READERS];
  pthread_create(&others[0], 0, write_once, 0);
  for (int i = 1; i < READERS; i++) pthread_create(&others[i], 0, read_once, 0);
  read_once(0);
  for (int i = 0; i < READERS; i++) pthread_join(others[i], 0);
  return 0;
}
