// what    two threads count without a lock
// why     the smallest data race: two plain accesses that nothing orders; a lock mends it
// options --property race
// other   graph sc,tso,pso,nsw refuses whose axioms know none
// expect  sc,tso,pso,lmo,nsw violated kind race
// with    -D MENDED
// expect  sc,tso,pso,lmo,nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>

static int counter;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *count(void *unused) {
  (void)unused;
#ifdef MENDED
  pthread_mutex_lock(&lock);
#endif
  ++counter;
#ifdef MENDED
  pthread_mutex_unlock(&lock);
#endif
  return 0;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, count, 0);
  pthread_create(&b, 0, count, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  (void)lock;
  return counter == 0;
}
