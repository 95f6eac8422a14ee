// what    a message announced by a semaphore's value, which the other thread only asks for
// why     sem_getvalue synchronises nothing (POSIX, 4.12); it was seq_cst
// expect  sc,tso,pso holds
// expect  rc11 violated kind race
// expect  armv8,riscv,power violated kind assertion at ERROR
// with    -D WAIT
// expect  sc,tso,pso,rc11,armv8,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t s;
static int message;

static void *sends(void *unused) {
  message = 1;
  sem_post(&s);
  return unused;
}

int main(void) {
  sem_init(&s, 0, 0);
  pthread_t t;
  pthread_create(&t, 0, sends, 0);
#ifdef WAIT
  sem_wait(&s);
  assert(message);
#else
  int value;
  sem_getvalue(&s, &value);
  if (value > 0) assert(message);  // ERROR
#endif
  pthread_join(t, 0);
}
