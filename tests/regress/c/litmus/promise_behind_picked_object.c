// what    load buffering where a load picks the object that is freed, or asked about, in front of the store that a load sees
// why     as in promise_shifts.c: the library's own object costs no event where another thread's does, and the store behind
//         it comes at another place; free() would branch on the pointer, which orders the store
// with    -O2
// because the local variable is picked without a branch
// expect  sc,tso holds
// expect  armv8,riscv,power violated kind assertion
// with    -O2 -D SWAP
// expect  armv8,riscv,power violated kind assertion
// with    -O2 -D OTHER
// expect  armv8,riscv,power violated kind assertion
// with    -O2 -D OTHER -D SWAP
// expect  armv8,riscv,power violated kind assertion
// with    -O2 -D FREE
// expect  armv8,riscv,power violated kind assertion
// with    -O2 -D FREE -D OTHER
// expect  armv8,riscv,power violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD(v) atomic_load_explicit(&v, memory_order_relaxed)
#define STORE(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)

unsigned long __heddle_object_facts(const void *);
void __heddle_free(void *);
void *__heddle_alloc(unsigned long, int);

atomic_int w, x, y;
int seen, picked;
void *object;

static void *ask(void *unused) {
  int r = LOAD(y);
  STORE(x, 1);
  STORE(w, r);
  STORE(w, 2);
  seen = r;
  return unused;
}

static void *answer(void *given) {
#ifdef FREE
  int *own = __heddle_alloc(8, 3);
#else
  int room[2], *own = room;
#endif
  if (LOAD(x) == 1) {
    int r = LOAD(w);
#ifdef OTHER
    int *chosen = r & 1 ? given : own;
#else
    int *chosen = r & 1 ? own : given;
#endif
#ifdef FREE
    __heddle_free(chosen);
#else
    __heddle_object_facts(chosen);
#endif
    STORE(y, 1);
    picked = r;
  }
  return 0;
}

int main(void) {
  pthread_t a, b;
  object = malloc(8);
#ifdef SWAP
  pthread_create(&b, 0, answer, object);
  pthread_create(&a, 0, ask, 0);
#else
  pthread_create(&a, 0, ask, 0);
  pthread_create(&b, 0, answer, object);
#endif
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(!(seen == 1 && picked == 1));
  return 0;
}
