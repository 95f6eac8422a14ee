// N threads meet at a barrier; what they wrote before it is seen behind it. SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

static pthread_barrier_t barrier;
static int written[N];

static void *meet(void *argument) {
  int i = (int)(intptr_t)argument;
  written[i] = 1;
  pthread_barrier_wait(&barrier);
  assert(written[(i + 1) % N] == 1);
  return 0;
}

int main(void) {
  pthread_t thread[N];
  pthread_barrier_init(&barrier, 0, N);
  for (int i = 0; i < N; i++) pthread_create(&thread[i], 0, meet, (void *)(intptr_t)i);
  for (int i = 0; i < N; i++) pthread_join(thread[i], 0);
  return 0;
}
