// what    a plain write to a spin lock while a thread waits for it whose last access was its own unlock
// why     the write of the unlock stood for the read that waits, though the writer knows of the former only
// options --property race
// other   graph sc,tso,pso refuses finds no races
// expect  sc,tso,pso,rc11 violated kind race
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

pthread_spinlock_t lock;
int done;

static void *locks_twice(void *unused) {
  pthread_spin_lock(&lock);
  done = 1;
  pthread_spin_unlock(&lock);
  pthread_spin_lock(&lock);
  pthread_spin_unlock(&lock);
  return unused;
}

static void *writes(void *unused) {
  pthread_spin_lock(&lock);
  if (done) *(volatile int *)&lock = *(volatile int *)&lock;
  pthread_spin_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, locks_twice, 0);
  pthread_create(&b, 0, writes, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
