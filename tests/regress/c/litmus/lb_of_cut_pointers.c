// what    load buffering of whole pointers, of which main has read a half or a byte before
// why     a piece of a read that is promised a write (graph/promises.h) is a piece of that write's pointer, also before
//         the write is there: the pointer was taken for uninitialised memory
// with    -D HALF
// expect  sc,tso,rc11,armv8,power holds
// with    -D BYTE
// expect  sc,tso,rc11,armv8,power holds
// with    -D HALF -D BOTH
// because each load sees the other thread's later store
// expect  sc,tso,rc11 holds
// expect  armv8,power violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>

static int one = 1, zero = 0;
static int *_Atomic p = &zero, *_Atomic q = &zero;

static void *first(void *unused) {
  int *seen = atomic_load_explicit(&p, memory_order_relaxed);
  atomic_store_explicit(&q, &one, memory_order_relaxed);
  return (void *)(long)*seen;
}

static void *second(void *unused) {
  int *seen = atomic_load_explicit(&q, memory_order_relaxed);
  atomic_store_explicit(&p, &one, memory_order_relaxed);
  return (void *)(long)*seen;
}

int main(void) {
#ifdef HALF
  (void)atomic_load_explicit((atomic_int *)&p, memory_order_relaxed);
  (void)atomic_load_explicit((atomic_int *)&q, memory_order_relaxed);
#endif
#ifdef BYTE
  char c[2];
  memcpy(c, (void *)&p, 1);
  memcpy(c + 1, (void *)&q, 1);
#endif
  pthread_t t, u;
  void *r, *s;
  pthread_create(&t, 0, first, 0);
  pthread_create(&u, 0, second, 0);
  pthread_join(t, &r);
  pthread_join(u, &s);
#ifdef BOTH
  assert(!(r && s));
#endif
  return 0;
}
