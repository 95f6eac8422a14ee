// what    load buffering through y, written by a word that others cut: by a byte store behind it, or by a byte that is read
//         at the end while the word is written by an atomic addition; a third thread's store comes later still
// why     the promised write has several pieces: it stays in the last place of each, without its promises, for the revisit
//         that deletes it, and keeps them where a piece stands in front of the byte store
// with    -D STORED
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// expect  sc,tso,rc11 holds
// with    -D STORED -D LATER
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// expect  sc,tso,rc11 holds
// with    -D ADDED
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

union {
  atomic_int word;
  _Atomic char bytes[4];
} y;
atomic_int x, z;
int from_x, from_y, from_z;

#define LOAD(at) atomic_load_explicit(at, memory_order_relaxed)
#define STORE(at, value) atomic_store_explicit(at, value, memory_order_relaxed)

static void *first(void *unused) {
#ifdef STORED
  from_y = LOAD(&y.bytes[0]);
  STORE(&x, 1);
#ifdef LATER
  STORE(&y.bytes[1], 2);
#else
  STORE(&y.bytes[0], 2);
#endif
#else
  from_y = LOAD(&y.word);
  STORE(&x, 1);
  STORE(&x, from_y);
#endif
  return unused;
}

static void *second(void *unused) {
  from_z = LOAD(&z);
  from_x = LOAD(&x);
#ifdef STORED
  if (from_x == 1) STORE(&y.word, 1);
#else
  if (from_x == 1) atomic_fetch_add_explicit(&y.word, 1, memory_order_relaxed);
#endif
  return unused;
}

static void *third(void *unused) {
  STORE(&z, 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_create(&threads[2], 0, third, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  if (LOAD(&y.bytes[0]) > 4) return 1;
  assert(!(from_x == 1 && from_y == 1 && from_z == 1));
  return 0;
}
