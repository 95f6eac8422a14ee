// A consumer waits on a condition variable for what N producers make. SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int made;

static void *make(void *unused) {
  pthread_mutex_lock(&mutex);
  made++;
  pthread_cond_signal(&changed);
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t thread[N];
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, make, 0);
  pthread_mutex_lock(&mutex);
  while (made < N) pthread_cond_wait(&changed, &mutex);
  pthread_mutex_unlock(&mutex);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  assert(made == N);
  return 0;
}
