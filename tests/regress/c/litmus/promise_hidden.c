// what    load buffering where the place of the store that a load sees depends on a load that the store need not wait for
// why     the promise of the first place was lost, and with it the graphs in which the other one would have been found
// because A picked value orders the store of it alone. Read back and branched on, it decides what comes before y = 1.
//         power keeps accesses to one location in order; riscv does if one of them is a read-modify-write.
// with    -D BESIDE_MAIN -D WAY=branch_on_static
// expect  sc,tso,rc11 holds
// expect  armv8,riscv violated kind assertion
// expect  power holds
// with    -D BESIDE_MAIN -D WAY=branch_on_exchanged
// expect  armv8 violated kind assertion
// expect  riscv,power holds
// with    -D BESIDE_MAIN -D WAY=branch_on_added
// expect  armv8 violated kind assertion
// expect  riscv,power holds
// with    -D BESIDE_MAIN -D WAY=constant_or_not
// expect  armv8,riscv violated kind assertion
// with    -D BESIDE_MAIN -D WAY=branch_on_local
// expect  armv8,riscv violated kind assertion
// with    -D BESIDE_MAIN -D WAY=branch_on_heap
// expect  armv8,riscv violated kind assertion
// with    -D WAY=branch_on_static
// expect  armv8,riscv violated kind assertion
// with    -D WAY=branch_on_local
// expect  armv8,riscv violated kind assertion
// with    -D BESIDE_MAIN -D WAY=branch_on_sum
// because What the read of an exchange has read decides what its thread reads next, unordered.
// expect  armv8 violated kind assertion
// expect  riscv,power holds
// with    -D WAY=branch_on_sum -D BEHIND
// expect  armv8 violated kind assertion
// expect  riscv,power holds
// with    -D BESIDE_MAIN -D WAY=branch_on_static -D BOTH
// because The store behind the branch is promised, too.
// expect  armv8,riscv violated kind assertion
// with    -D THROUGH_THREAD -D WAY=pass_on
// because A third thread has read what was read back, and branches on that.
// expect  armv8,riscv violated kind assertion
// with    -D BESIDE_MAIN -D WAY=branch_to_load -D BEHIND
// because Another load stands at the place of the promise, and the store depends on it.
// expect  armv8,riscv violated kind assertion
// with    -D WAY=branch_to_load -D BEHIND
// expect  armv8,riscv violated kind assertion
// with    -O 1 -D BESIDE_MAIN -D WAY=branch_on_limit
// because The value depends on the load where it is another one, so that the promise seemed to rest on itself.
// expect  armv8,riscv violated kind assertion
// with    -O 1 -D WAY=branch_on_limit
// expect  armv8,riscv violated kind assertion
// with    -D BESIDE_MAIN -D WAY=branch_on_register
// because A branch on what was loaded itself keeps the store behind the load.
// expect  sc,tso,armv8,riscv,power,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>

#define LOAD(v) atomic_load_explicit(&v, memory_order_relaxed)
#define STORE(v, n) atomic_store_explicit(&v, n, memory_order_relaxed)

atomic_int w, x, y, z, held, passed, zero;
int seen, size, relayed = 300, more;
volatile int own;

static void branch(int number) {
  if (number > 5) STORE(z, 1);
}

static inline void branch_on_register(int r) { branch(r & 1 ? 300 : 1); }

static inline void branch_on_static(int r) {
  own = r & 1 ? 300 : 1;
  branch(own);
}

static inline void pass_on(int r) {
  own = r & 1 ? 300 : 1;
  STORE(passed, own);
}

static inline void branch_on_exchanged(int r) {
  STORE(held, r & 1 ? 300 : 1);
  branch(atomic_exchange_explicit(&held, 0, memory_order_relaxed));
}

static inline void branch_on_added(int r) {
  atomic_fetch_add_explicit(&held, r & 1 ? 300 : 1, memory_order_relaxed);
  branch(LOAD(held));
}

static inline void constant_or_not(int r) {
  static volatile int shared;
  static const volatile int fixed = 1;
  static const volatile int *volatile pointer;
  pointer = r & 1 ? &shared : &fixed;
  (void)*pointer;
}

// w is read, counted up, and read again.
static inline void branch_on_sum(int r) {
  (void)r;
  atomic_fetch_add_explicit(&w, 256, memory_order_relaxed);
  more = 0;
  if (LOAD(w) & 1) more = LOAD(zero);
}

static volatile int *same(volatile int *pointer) { return pointer; }
static volatile int *(*volatile hide)(volatile int *) = same;

static inline void branch_on_local(int r) {
  volatile int local;
  volatile int *pointer = hide(&local);
  *pointer = r & 1 ? 300 : 1;
  branch(*pointer);
}

static inline void branch_on_limit(int r) {
  volatile int local;
  volatile int *pointer = hide(&local);
  *pointer = r == 1 ? 300 : r;
  branch(*pointer);
}

static inline void branch_on_heap(int r) {
  volatile int *number = malloc(sizeof *number);
  *number = r & 1 ? 300 : 1;
  branch(*number);
  free((void *)number);
}

static inline void branch_to_load(int r) {
  own = r & 1 ? 300 : 1;
  more = 0;
  if (own > 5) more = LOAD(zero);
}

static void *ask(void *unused) {
  int r = LOAD(y), other = r;
#ifdef BOTH
  other = LOAD(z);
#endif
  STORE(x, 1);
  STORE(w, r | other);
  STORE(w, 2);
  seen = r & other;
  return unused;
}

static void *answer(void *unused) {
  if (LOAD(x) == 1) {
    int r = LOAD(w);
    WAY(r);
#ifdef BEHIND
    STORE(y, 1 + more);
#elif !defined THROUGH_THREAD
    STORE(y, 1);
#endif
    size = r;
  }
  return unused;
}

static void *relay(void *unused) {
  relayed = LOAD(passed);
  branch(relayed);
  STORE(y, 1);
  return unused;
}

int main(void) {
  pthread_t a, b;
#ifdef BESIDE_MAIN
  pthread_create(&b, 0, answer, 0);
  ask(0);
#else
  pthread_create(&a, 0, ask, 0);
  pthread_create(&b, 0, answer, 0);
#ifdef THROUGH_THREAD
  pthread_t c;
  pthread_create(&c, 0, relay, 0);
  pthread_join(c, 0);
#endif
  pthread_join(a, 0);
#endif
  pthread_join(b, 0);
  assert(!(seen == 1 && size == 1 && relayed == 300));
  return 0;
}
