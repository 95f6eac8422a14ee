// what    a condition variable is destroyed and freed as soon as nobody waits, while a timed wait still returns from it
// why     POSIX allows it; the wait looked at the condition variable once more after it had been woken
// expect  sc,tso,pso,ra,rc11,armv8,power holds
// with    -D TOO_EARLY
// expect  sc,tso,pso,ra,rc11,armv8,power violated kind misuse
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t *c;

static void *wait(void *unused) {
  struct timespec deadline = {1, 0};
  pthread_mutex_lock(&m);
  if (c) pthread_cond_timedwait(c, &m, &deadline);
  pthread_mutex_unlock(&m);
  return unused;
}

int main(void) {
  pthread_t t;
  c = malloc(sizeof *c);
  pthread_cond_init(c, 0);
  pthread_create(&t, 0, wait, 0);
  pthread_mutex_lock(&m);
  pthread_cond_t *mine = c;
  c = 0;
#ifndef TOO_EARLY
  pthread_cond_broadcast(mine);
#endif
  pthread_mutex_unlock(&m);
  pthread_cond_destroy(mine);
  free(mine);
  pthread_join(t, 0);
}
