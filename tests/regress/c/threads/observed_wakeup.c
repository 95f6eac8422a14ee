// what    a condition wait returns unasked twice, and in between another thread's trylock fails because of that
// why     graphs left the second return out, since nothing had changed; but the lock had been seen held
// options -p assertion
// expect  sc,tso,pso,ra,rc11,armv8,power violated kind assertion at ERROR
// with    -D MENDED
// expect  sc,tso,pso,ra,rc11,armv8,power holds
// with    --spurious-wakeups=off
// expect  sc,tso,pso,ra,rc11,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waiting, seen;

static void *look(void *unused) {
  pthread_mutex_lock(&m);
  int now = waiting;
  pthread_mutex_unlock(&m);
  if (!now) return unused;
  if (pthread_mutex_trylock(&m) == 0) {
    pthread_mutex_unlock(&m);
    return unused;
  }
  pthread_mutex_lock(&m);
#ifndef MENDED
  seen = 1;
#endif
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, look, 0);
  pthread_mutex_lock(&m);
  waiting = 1;
  while (!seen) pthread_cond_wait(&c, &m);
  assert(0);  // ERROR
}
