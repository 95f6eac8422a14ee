// what    store buffering where one of the loads has sixteen bytes
// why     such a load is an atomic section, which begins with an empty buffer: graphs and explicit states must agree on it
// expect  sc,tso,pso holds
// with    --engine explicit
// expect  sc,tso,pso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static _Atomic unsigned __int128 wide;
static atomic_int narrow;
static int seen_by_one;

static void *one(void *unused) {
  atomic_store_explicit(&narrow, 1, memory_order_relaxed);
  seen_by_one = (int)atomic_load(&wide);
  return unused;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, one, 0);
  atomic_store(&wide, 1);
  int seen_by_main = atomic_load(&narrow);
  pthread_join(thread, 0);
  assert(seen_by_one || seen_by_main);
}
