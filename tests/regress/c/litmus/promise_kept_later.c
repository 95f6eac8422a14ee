// what    load buffering through y, whose store can keep its promise only in front of another store to y, or only after
//         another load has read the initial value; a third thread's store then makes the first load of that thread read 1
// why     such a store was left out behind all others as well, where the revisit of the first load asks for it: of one
//         piece, and of several, where another access cuts y
// with    -D STORED
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// expect  sc,tso,rc11 holds
// with    -D EXCHANGED
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// expect  sc,tso,rc11 holds
// with    -D READ
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// expect  sc,tso,rc11 holds
// with    -D STORED -D CUT
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// expect  sc,tso,rc11 holds
// with    -D EXCHANGED -D CUT
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// expect  sc,tso,rc11 holds
// with    -D READ -D CUT
// expect  rmo,armv8,armv8.1,riscv,power violated kind assertion
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

atomic_int x, y, z, v;
int from_x, from_y, from_z, from_v;

static int load(atomic_int *at) { return atomic_load_explicit(at, memory_order_relaxed); }
static void store(atomic_int *at, int value) { atomic_store_explicit(at, value, memory_order_relaxed); }

static void *first(void *unused) {
#ifdef EXCHANGED
  from_y = atomic_fetch_add_explicit(&y, 1, memory_order_relaxed);
#else
  from_y = load(&y);
#endif
  store(&x, 1);
#ifdef STORED
  store(&y, 2);
#elif defined READ
  store(&v, from_y);
#endif
  return unused;
}

static void *second(void *unused) {
  from_z = load(&z);
  from_x = load(&x);
#ifdef READ
  from_v = load(&v);
  if (from_v > 4) return unused;
#endif
  if (from_x == 1) store(&y, 1);
  return unused;
}

static void *third(void *unused) {
  store(&z, 1);
  return unused;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], 0, first, 0);
  pthread_create(&threads[1], 0, second, 0);
  pthread_create(&threads[2], 0, third, 0);
  for (int i = 0; i < 3; ++i) pthread_join(threads[i], 0);
#ifdef CUT
  if (((volatile char *)&y)[0] > 4) return 1;
#endif
  assert(!(from_x == 1 && from_y == 1 && from_z == 1 && from_v == 0));
  return 0;
}
