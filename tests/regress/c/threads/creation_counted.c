// what    threads that create threads, results that pthread_join takes, a first thread that leaves by pthread_exit
// why     none of it tells executions apart: there are as many as orders of the two increments, or one without them
// with    -D COUNT --engine graph --symmetry off
// expect  sc,tso,pso,ra,rc11,armv8,riscv,rmo,power holds executions 2
// with    -D COUNT -D LEAVE --engine graph --symmetry off
// expect  sc,tso,pso,ra,rc11,armv8,riscv,rmo,power holds executions 2
// with    -D LEAVE --engine graph --symmetry off
// expect  sc,tso,pso,ra,rc11,armv8,riscv,rmo,power holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int counter;

static void *inner(void *argument) {
#ifdef COUNT
  atomic_fetch_add(&counter, 1);
#endif
  return argument;
}

static void *outer(void *argument) {
  pthread_t thread;
  pthread_create(&thread, 0, inner, argument);
#ifdef LEAVE
  return 0;
#else
  void *result;
  pthread_join(thread, &result);
  return result;
#endif
}

int main(void) {
  pthread_t thread[2];
  for (int i = 0; i < 2; i++) pthread_create(&thread[i], 0, outer, &thread[i]);
#ifdef LEAVE
  pthread_exit(0);
#else
  for (int i = 0; i < 2; i++) {
    void *result;
    pthread_join(thread[i], &result);
    assert(result == &thread[i]);
  }
  return 0;
#endif
}
