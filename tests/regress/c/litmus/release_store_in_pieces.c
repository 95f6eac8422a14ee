// what    a release store that another access cuts, then a relaxed store to another place
// why     the mark of each piece of the release store was taken to stand behind the pieces before it: under pso the
//         execution was lost in which the relaxed store arrives first
// options -p assertion
// because The mark stands in front of the whole store (docs/models.md), and orders it with nothing behind it.
// expect  sc,tso holds
// expect  pso,rc11,armv8,power violated kind assertion at ERROR
// with    -D BEHIND
// expect  sc,tso,pso,armv8,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  _Atomic unsigned word;
  _Atomic unsigned short halves[2];
} x;
static atomic_int y;

static void *writer(void *unused) {
#ifdef BEHIND
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#endif
  atomic_store_explicit(&x.word, 0x02020202, memory_order_release);
  atomic_load_explicit(&x.halves[0], memory_order_relaxed);
#ifndef BEHIND
  atomic_store_explicit(&y, 1, memory_order_relaxed);
#endif
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
#ifdef BEHIND
  const unsigned half = atomic_load_explicit(&x.halves[1], memory_order_acquire);
  const int seen = atomic_load_explicit(&y, memory_order_relaxed);
  assert(!(half == 0x0202 && seen == 0));
#else
  const int seen = atomic_load_explicit(&y, memory_order_acquire);
  const unsigned word = atomic_load_explicit(&x.word, memory_order_relaxed);
  assert(!(seen == 1 && word == 0));  // ERROR
#endif
  pthread_join(t, 0);
}
