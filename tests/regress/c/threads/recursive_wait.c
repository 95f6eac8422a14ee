// what    condition waits with a recursive mutex locked twice, and with an error-checking one that is not held
// why     POSIX: another thread gets a recursive mutex after as many unlocks as locks, and a wait unlocks it once
// with    -D CASE=1
// expect  sc,tso,rc11 violated kind deadlock
// with    -D CASE=2
// expect  sc,tso,rc11 holds
// with    -D CASE=3
// expect  sc,tso,rc11 holds
// with    -D CASE=4
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <errno.h>
#include <pthread.h>

static pthread_mutex_t mutex;
static pthread_cond_t condition = PTHREAD_COND_INITIALIZER;
static int set;

static void *run(void *unused) {
#if CASE == 2
  assert(pthread_mutex_trylock(&mutex) == EBUSY);
#else
  pthread_mutex_lock(&mutex);
  set = 1;
  pthread_cond_signal(&condition);
  pthread_mutex_unlock(&mutex);
#endif
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, CASE == 4 ? PTHREAD_MUTEX_ERRORCHECK : PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init(&mutex, &attributes);
  const struct timespec deadline = {0, 0};
#if CASE == 4
  assert(pthread_cond_wait(&condition, &mutex) == EPERM);
  assert(pthread_cond_timedwait(&condition, &mutex, &deadline) == EPERM);
  (void)thread;
#else
  pthread_mutex_lock(&mutex);
  if (CASE != 3) pthread_mutex_lock(&mutex);
  pthread_create(&thread, 0, run, 0);
#if CASE == 2
  pthread_cond_timedwait(&condition, &mutex, &deadline);
  pthread_join(thread, 0);
  pthread_mutex_unlock(&mutex);
  pthread_mutex_unlock(&mutex);
  assert(pthread_mutex_unlock(&mutex) == EPERM);
#else
  while (!set) pthread_cond_wait(&condition, &mutex);
  pthread_mutex_unlock(&mutex);
  pthread_join(thread, 0);
#endif
#endif
  return 0;
}
