// what    a compare-exchange of two bytes beside a read-modify-write of one of them and a store to the other
// why     the compare-exchange fails by the second byte alone, and the first was read before the read-modify-write wrote it:
//         the executions were lost in which two read-modify-writes have read the same byte and one of them fails
// options -p assertion
// because Each byte is read and ordered for itself (docs/models.md); nothing orders the two writes of the other thread.
// expect  sc,tso,pso holds
// expect  rc11,rc20,armv8,armv8.1,riscv,power violated kind assertion at ERROR
// with    -D LOAD
// expect  sc,tso,pso holds
// expect  rc11,rc20,armv8,armv8.1,riscv,power violated kind assertion at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  _Atomic unsigned short word;
  _Atomic unsigned char bytes[2];
} x;

static void *writer(void *unused) {
  atomic_fetch_add_explicit(&x.bytes[0], 2, memory_order_relaxed);
  atomic_store_explicit(&x.bytes[1], 3, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t t;
  pthread_create(&t, 0, writer, 0);
#ifdef LOAD
  const unsigned short seen = atomic_load_explicit(&x.word, memory_order_relaxed);
#else
  unsigned short seen = 0;
  atomic_compare_exchange_strong_explicit(&x.word, &seen, 0x0101, memory_order_relaxed, memory_order_relaxed);
#endif
  assert(seen != 0x0300);  // ERROR
  pthread_join(t, 0);
}
