// what    load buffering through a byte of a word on which a thread spins; a third thread's byte lets it spin on
// why     the last read of the loop blocks its thread while one of its pieces is promised a write that is not there
//         (graph/promises.h); to ask which write that piece has read ended the checker by a signal
// options -p assertion
// because The first thread reads the byte that the second one stores behind its load of x, which no fence or dependency
//         orders, and then sets x.
// expect  sc,tso,pso,rc11 holds
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion at ERROR
// with    -D SECOND_FIRST
// expect  sc,tso,pso,rc11 holds
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion at ERROR
// because With a control dependency from the load of x to the store, each of both stores waits for the other one.
// with    -D SECOND_FIRST -D DEPENDS
// expect  sc,tso,pso,rc11,rmo,armv8,armv8.1,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

static union {
  _Atomic unsigned short word;
  _Atomic unsigned char bytes[2];
} y;
static atomic_int x;
static int from_x, from_y;

#define LOAD(at) atomic_load_explicit(at, memory_order_relaxed)
#define STORE(at, value) atomic_store_explicit(at, value, memory_order_relaxed)

static void *first(void *unused) {
  unsigned word;
  do word = LOAD(&y.word);
  while (word >> 8);
  from_y = (int)word;
  STORE(&x, 1);
  return unused;
}

static void *second(void *unused) {
  from_x = LOAD(&x);
#ifdef DEPENDS
  if (from_x)
#endif
    STORE(&y.bytes[0], 1);
  return unused;
}

static void *third(void *unused) {
  STORE(&y.bytes[1], 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
#ifdef SECOND_FIRST
  pthread_create(&threads[0], 0, second, 0);
  pthread_create(&threads[1], 0, first, 0);
#else
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
#endif
  pthread_create(&threads[2], 0, third, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
  assert(!(from_x && from_y));  // ERROR
}
