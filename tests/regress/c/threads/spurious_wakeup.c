// what    a wait on a condition variable without a loop around it
// why     a wait may return unasked
// assumes nothing
// expect  sc,tso,rc11,armv8 violated kind assertion
// with    --spurious-wakeups=off
// assumes a wait on a condition variable never returns unasked (--spurious-wakeups lets it)
// expect  sc,tso,rc11,armv8 holds
// with    -D MENDED
// assumes nothing
// expect  sc,tso,rc11,armv8 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int ready;

static void *set(void *unused) {
  pthread_mutex_lock(&mutex);
  ready = 1;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t other;
  pthread_mutex_lock(&mutex);
  pthread_create(&other, 0, set, 0);
#ifdef MENDED
  while (!ready) pthread_cond_wait(&changed, &mutex);
#else
  if (!ready) pthread_cond_wait(&changed, &mutex);
#endif
  assert(ready);
  pthread_mutex_unlock(&mutex);
  pthread_join(other, 0);
  return 0;
}
