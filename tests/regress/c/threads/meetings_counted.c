// what    threads that meet at a barrier or take turns by a semaphore
// why     nothing but the order of arrivals, or of turns, tells executions apart: N! of them under every model
// with    -D N=4 -D BARRIER --engine graph --symmetry off
// expect  sc,tso,pso,ra,rc11,armv8,riscv,rmo,power holds executions 24
// with    -D N=4 --engine graph --symmetry off
// expect  sc,tso,pso,ra,rc11,armv8,riscv,rmo,power holds executions 24
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static sem_t semaphore;
static int seen[N], counter;

static void *run(void *argument) {
  int i = (int)(intptr_t)argument;
#ifdef BARRIER
  seen[i] = 1;
  pthread_barrier_wait(&barrier);
  assert(seen[(i + 1) % N]);
#else
  sem_wait(&semaphore);
  seen[i] = counter++;
  sem_post(&semaphore);
#endif
  return 0;
}

int main(void) {
  pthread_t thread[N];
  pthread_barrier_init(&barrier, 0, N);
  sem_init(&semaphore, 0, 1);
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, run, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  return 0;
}
