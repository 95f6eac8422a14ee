// what     a read-modify-write of a word comes before a store to one of its bytes and another one behind it
// why      graphs missed this order when each piece of a cut read-modify-write was a write of its own
// expect   sc,tso,pso,nsw,rmo,armv8,riscv,power  violated kind assertion
// expect   ra,rc11  violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  unsigned word;
  unsigned char byte[4];
} m;
static unsigned first, second;

static void* add_three(void* unused) {
  first = __atomic_fetch_add(&m.word, 3, __ATOMIC_ACQ_REL);
  return unused;
}

static void* store_a_byte(void* unused) {
  __atomic_store_n(&m.byte[3], 3, __ATOMIC_SEQ_CST);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add_three, 0);
  pthread_create(&b, 0, store_a_byte, 0);
  second = __atomic_fetch_add(&m.word, 1, __ATOMIC_ACQUIRE);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(first == 0 && second == 0x03000003));
  return 0;
}
