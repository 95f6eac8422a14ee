// what    a plain write to a flag that another thread polls, before the write of the value that it waits for
// why     only the last round of the loop, which the second write orders behind the first, was looked at by graphs
// options --property race
// other   graph sc,tso,pso,nsw refuses finds no races
// expect  sc,tso,pso,lmo,nsw,ra,rc11,rc20 violated kind race
// with    -D ATOMIC
// expect  sc,tso,pso,lmo,nsw,ra,rc11,rc20 holds
// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <stdatomic.h>

static atomic_int flag;

static void *polls(void *unused) {
  while (atomic_load_explicit(&flag, memory_order_acquire) != 2) {
  }
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, polls, 0);
#ifdef ATOMIC
  atomic_store_explicit(&flag, 1, memory_order_relaxed);
#else
  *(int *)&flag = 1;
#endif
  atomic_store_explicit(&flag, 2, memory_order_release);
  pthread_join(t, 0);
}
