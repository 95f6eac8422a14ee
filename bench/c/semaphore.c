// N threads increment a counter under a semaphore. SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>

static sem_t semaphore;
static int counter;

static void *count(void *unused) {
  sem_wait(&semaphore);
  counter++;
  sem_post(&semaphore);
  return unused;
}

int main(void) {
  pthread_t thread[N];
  sem_init(&semaphore, 0, 1);
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, count, 0);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  assert(counter == N);
  return 0;
}
