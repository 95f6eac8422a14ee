// what    main looks at what a thread wrote, once that thread must have ended but without joining it
// why     being later is not being ordered: an ended thread's accesses still count, and no one else runs any more
// options --property race
// other   graph sc,tso,pso refuses whose axioms know none
// expect  sc,tso,pso violated kind race
// with    -D JOINED
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static int result;
static atomic_int done;

static void *work(void *unused) {
  result = 1;
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, work, 0);
#ifdef JOINED
  pthread_join(t, 0);
#endif
  if (!atomic_load_explicit(&done, memory_order_relaxed)) pthread_exit(0);
  return result - 1;
}
