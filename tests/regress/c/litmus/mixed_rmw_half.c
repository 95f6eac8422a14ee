// what     a store to a byte, a read-modify-write of the word, and one of the other half behind it
// why      on the way to this order the word's read-modify-write has no room behind what its first half saw; its thread must wait there
//          for the store to the byte, or graphs miss the order
// expect   sc,tso,pso,nsw,rmo,armv8,riscv,power  violated kind assertion
// expect   ra,rc11  violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  unsigned word;
  unsigned short half[2];
  unsigned char byte[4];
} m;
static unsigned first, second;

static void* add_to_word(void* unused) {
  first = __atomic_fetch_add(&m.word, 3, __ATOMIC_RELAXED);
  return unused;
}

static void* store_a_byte(void* unused) {
  __atomic_store_n(&m.byte[3], 2, __ATOMIC_RELAXED);
  return unused;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add_to_word, 0);
  pthread_create(&b, 0, store_a_byte, 0);
  second = __atomic_fetch_add(&m.half[0], 1, __ATOMIC_RELEASE);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(first == 0x02000000 && second == 3));
  return 0;
}
