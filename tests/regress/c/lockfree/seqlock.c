// what    a sequence lock: one writer, one reader that accepts only what did not change meanwhile
// why     both ends of the writer and the end of the reader need an order; each is needed under some model
// with    -D BEGIN_WRITE=release -D END_WRITE=release -D END_READ=acquire
// expect  sc,tso,pso,lmo holds
// with    -D BEGIN_WRITE=relaxed -D END_WRITE=release -D END_READ=acquire
// expect  sc,tso holds
// expect  pso,lmo violated kind assertion
// with    -D BEGIN_WRITE=release -D END_WRITE=relaxed -D END_READ=acquire
// expect  sc,tso holds
// expect  pso,lmo violated kind assertion
// with    -D BEGIN_WRITE=release -D END_WRITE=release -D END_READ=relaxed
// expect  sc,tso,pso holds
// expect  lmo violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#define GLUE_(a, b) a##b
#define GLUE(a, b) GLUE_(a, b)
#define MO(name) GLUE(memory_order_, name)

static atomic_uint sequence;
static atomic_int left, right;

static void *write_once(void *unused) {
  atomic_store_explicit(&sequence, 1, memory_order_relaxed);
  atomic_thread_fence(MO(BEGIN_WRITE));
  atomic_store_explicit(&left, 1, memory_order_relaxed);
  atomic_store_explicit(&right, 1, memory_order_relaxed);
  atomic_store_explicit(&sequence, 2, MO(END_WRITE));
  return unused;
}

int main(void) {
  pthread_t writer;
  pthread_create(&writer, 0, write_once, 0);
  unsigned before = atomic_load_explicit(&sequence, memory_order_acquire);
  int l = atomic_load_explicit(&left, memory_order_relaxed);
  int r = atomic_load_explicit(&right, memory_order_relaxed);
  atomic_thread_fence(MO(END_READ));
  unsigned after = atomic_load_explicit(&sequence, memory_order_relaxed);
  if (before == after && before % 2 == 0) assert(l == r);
  pthread_join(writer, 0);
  return 0;
}
