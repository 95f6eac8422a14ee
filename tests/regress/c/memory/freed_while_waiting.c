// what    one thread frees what another waits for: a flag that is polled, or a mutex
// why     graphs took a blocked thread's read for none, and missed that it reads again
// expect  sc,tso,pso,ra,rc11,armv8,power violated kind use-after-free
// with    -D LOCK
// expect  sc,tso,pso,ra,rc11,armv8,power violated kind use-after-free
// with    -D FIRST
// expect  sc,tso,pso,ra,rc11,armv8,power violated kind use-after-free
// with    -D MENDED
// expect  sc,tso,pso,ra,rc11,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

struct gate {
  atomic_int open;
  pthread_mutex_t lock;
};
static struct gate *gate;

static void *wait(void *unused) {
#ifdef LOCK
  pthread_mutex_lock(&gate->lock);
  pthread_mutex_unlock(&gate->lock);
#else
  while (!atomic_load_explicit(&gate->open, memory_order_relaxed)) {
  }
#endif
  return unused;
}

static void *end(void *unused) {
  free(gate);
  return unused;
}

int main(void) {
  pthread_t t;
  gate = malloc(sizeof *gate);
  atomic_init(&gate->open, 0);
  pthread_mutex_init(&gate->lock, 0);
  pthread_mutex_lock(&gate->lock);
#ifdef FIRST
  pthread_create(&t, 0, end, 0);
  wait(0);
#else
  pthread_create(&t, 0, wait, 0);
#ifdef MENDED
  atomic_store_explicit(&gate->open, 1, memory_order_relaxed);
  pthread_join(t, 0);
#endif
  end(0);
#endif
  return 0;
}
