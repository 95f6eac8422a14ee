// what     store buffering is not seen with --buffer 0, and the verdict says that this was a bound
// why      a plain SAFE was printed, although the machine was left without its buffers
// options  --buffer 0
// other   graph sc,tso,pso refuses does not have --buffer
// expect   sc       holds
// expect   tso,pso  holds up-to buffer 0
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static atomic_int x, y;
static int a, b;

static void* other(void* unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  b = atomic_load_explicit(&x, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, other, 0);
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  a = atomic_load_explicit(&y, memory_order_relaxed);
  pthread_join(t, 0);
  assert(a == 1 || b == 1);
  return 0;
}
