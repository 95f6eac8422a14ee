// what    two threads that count under a lock, with pthreads
// why     twin of twin_mutex.cpp
// options --symmetry off
// expect  sc,pso,rc11 holds executions 2
// other   explicit sc,pso refuses --symmetry
// because either thread locks first
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void *add(void *unused) {
  pthread_mutex_lock(&mutex);
  ++count;
  pthread_mutex_unlock(&mutex);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(count == 2);
}
