// what    load buffering where the store that a load sees comes at another place of its thread than without that
// why     the promise of the first place was lost, and with it the graphs in which the other one would have been found
// because The array costs an event if it is large; the store behind it depends on nothing that decides its size.
// expect  sc,tso,rc11 holds
// expect  armv8,riscv,power violated kind assertion
// with    -D SWAP
// expect  armv8,riscv,power violated kind assertion
// with    -D THROUGH_MEMORY
// because the size is picked, and comes back through memory that no other thread writes
// expect  armv8,riscv,power violated kind assertion
// with    -D THROUGH_HEAP
// because likewise through an object that no other thread can reach
// expect  armv8,riscv,power violated kind assertion
// with    -D THROUGH_EXCHANGE
// because likewise, read back by a read-modify-write
// expect  armv8,riscv,power violated kind assertion
// with    -D BEHIND
// because likewise, and the store depends on a load that stands at the first place
// expect  armv8,riscv,power violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD(v) atomic_load_explicit(&v, memory_order_relaxed)
#define STORE(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)

atomic_int w, x, y, held, zero;
int seen, size;
volatile int own;

static void *ask(void *unused) {
  int r = LOAD(y);
  STORE(x, 1);
  STORE(w, r);
  STORE(w, 2);
  seen = r;
  return unused;
}

static void *answer(void *unused) {
  if (LOAD(x) == 1) {
    int r = LOAD(w);
#ifdef THROUGH_MEMORY
    own = r & 1 ? 300 : 1;
    char array[own];
#elif defined THROUGH_EXCHANGE
    STORE(held, r & 1 ? 300 : 1);
    int number = atomic_exchange_explicit(&held, 0, memory_order_relaxed);
    volatile char array[number];
#elif defined THROUGH_HEAP
    volatile int *number = malloc(sizeof *number);
    *number = r & 1 ? 300 : 1;
    char array[*number];
#else
    char array[(r & 1) * 300 + 1];
#endif
#ifdef BEHIND
    STORE(y, 1 + LOAD(zero));
#else
    STORE(y, 1);
#endif
    array[0] = 0;
    size = r;
#ifdef THROUGH_HEAP
    free((void *)number);
#endif
  }
  return unused;
}

int main(void) {
  pthread_t a, b;
#ifdef SWAP
  pthread_create(&b, 0, answer, 0);
  pthread_create(&a, 0, ask, 0);
#else
  pthread_create(&a, 0, ask, 0);
  pthread_create(&b, 0, answer, 0);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(seen == 1 && size == 1));
  return 0;
}
