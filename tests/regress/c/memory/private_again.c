// what    an object that others can reach for a while, with stores to it pending before and after
// why     more of its stores are then pending than may sleep, and the oldest of these stays awake: it must not be overtaken
//         by a younger store to the same place when that makes room for another one
// options --property assertion
// with    --buffer 3
// expect  pso holds up-to buffer 3
// with    --engine graph
// expect  pso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#define STORE(x, v) atomic_store_explicit(&(x), v, memory_order_relaxed)
#define LOAD(x) atomic_load_explicit(&(x), memory_order_relaxed)
#define EXCHANGE(x, v) atomic_exchange_explicit(&(x), v, memory_order_relaxed)

_Atomic(atomic_int *) seldom, last;

void *reads(void *unused) {
  atomic_int *p = LOAD(last);
  if (p) {
    const int first = LOAD(*p), second = LOAD(*p);
    assert(!(first == 2 && second == 1));
  }
  return unused;
}
int main(void) {
  pthread_t reader;
  pthread_create(&reader, 0, reads, 0);
  atomic_int *p = calloc(1, sizeof *p), *q = calloc(1, sizeof *q);
  atomic_thread_fence(memory_order_seq_cst);
  EXCHANGE(seldom, p);
  STORE(*p, 1);
  STORE(*p, 2);
  STORE(*q, 1);
  STORE(*q, 2);
  STORE(*q, 3);
  STORE(*p, 3);
  EXCHANGE(seldom, 0);
  STORE(*q, 4);
  EXCHANGE(last, p);
  pthread_join(reader, 0);
  free(p);
  free(q);
  return 0;
}
