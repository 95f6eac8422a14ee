// what    the upper byte of a release store of two bytes is acquired; then its reader stores the lower byte
// why     all of the store was taken to precede what its reader stores behind the acquire: under power the execution
//         was lost in which the lower byte is overwritten by the release store
// options -p assertion
// because Each byte has its own coherence order (docs/models.md). On POWER the fence of the release stands before its
//         store, and the isync behind the load is none, so that no fence propagates one store before the other.
//         Elsewhere the release store comes first in an order that all threads agree on.
// expect  sc,tso,pso,rc11,rc20,armv8,armv8.1,riscv holds
// expect  power violated kind assertion at ERROR
// because One byte that both threads access has one coherence order.
// with    -D ONE
// expect  sc,tso,pso,rc11,rc20,armv8,armv8.1,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  _Atomic unsigned short word;
  _Atomic unsigned char bytes[2];
} x;
static int seen;

#ifdef ONE
enum { other = 1 };
#else
enum { other = 0 };
#endif

static void *writer(void *unused) {
  atomic_store_explicit(&x.word, 0x0404, memory_order_release);
  return unused;
}

static void *reader(void *unused) {
  seen = atomic_load_explicit(&x.bytes[1], memory_order_acquire);
  atomic_store_explicit(&x.bytes[other], 2, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[2];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, reader, 0);
  pthread_join(threads[0], 0);
  pthread_join(threads[1], 0);
  const int left = atomic_load_explicit(&x.bytes[other], memory_order_relaxed);
  assert(!(seen == 4 && left == 4));  // ERROR
}
