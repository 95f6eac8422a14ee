// what    a plain write to the word of a mutex that another thread waits for, before the write that lets it go on
// why     a wait in vain is a read; explicit states only saw the last one, which the unlocking orders behind the write
// options --property race
// other   graph sc,tso,pso,nsw refuses finds no races
// expect  sc,tso,pso,lmo,nsw,ra,rc11,rc20 violated kind race
// with    -D BEFORE
// expect  sc,tso,pso,lmo,nsw,ra,rc11,rc20 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *waits(void *unused) {
  pthread_mutex_lock(&lock);
  pthread_mutex_unlock(&lock);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_mutex_t copy;
  pthread_mutex_lock(&lock);
#ifdef BEFORE
  copy = lock;
  lock = copy;
  pthread_create(&t, 0, waits, 0);
#else
  pthread_create(&t, 0, waits, 0);
  copy = lock;
  lock = copy;
#endif
  pthread_mutex_unlock(&lock);
  pthread_join(t, 0);
}
