// what    a byte of what an exchange has stored is loaded; where it is there, the other byte is stored
// why     the fence of a releasing exchange was taken to stand behind its load, too: under power the execution was lost
//         in which the other byte is overwritten by the store that the exchange has loaded
// options -p assertion
// because On POWER the lwsync stands before the load of the exchange, so no fence comes between the first store and the
//         last one, whose order in coherence is that of their byte alone (docs/models.md). Elsewhere the exchange keeps
//         its load before its store, and the first store comes before the last in an order that all threads agree on.
// expect  sc,tso,pso,armv8,armv8.1,riscv holds
// expect  power violated kind assertion at ERROR
// because The relaxed load does not synchronise, and coherence of one byte says nothing about the other.
// expect  rc11,rc20 violated kind assertion at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  _Atomic unsigned short word;
  _Atomic unsigned char bytes[2];
} x;
static int before, seen;

static void *writer(void *unused) {
  atomic_store_explicit(&x.word, 0x0101, memory_order_seq_cst);
  return unused;
}

static void *exchanger(void *unused) {
  before = atomic_exchange_explicit(&x.word, 0x0202, memory_order_acq_rel);
  return unused;
}

static void *reader(void *unused) {
  seen = atomic_load_explicit(&x.bytes[0], memory_order_relaxed);
  if (seen == 2) atomic_store_explicit(&x.bytes[1], 4, memory_order_relaxed);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, writer, 0);
  pthread_create(&threads[1], 0, exchanger, 0);
  pthread_create(&threads[2], 0, reader, 0);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], 0);
  const int left = atomic_load_explicit(&x.bytes[1], memory_order_relaxed);
  assert(!(before == 0x0101 && seen == 2 && left == 2));  // ERROR
}
