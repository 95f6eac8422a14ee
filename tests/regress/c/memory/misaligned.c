// what    atomic accesses at an address that is not a multiple of their size
// why     they are not atomic, or trap, on many machines; the compiler may take the alignment for granted
// with    -D CASE=1
// expect  sc,tso,armv8,rc11 violated kind misaligned at ERROR1
// with    -D CASE=2
// expect  sc,tso,armv8,rc11 violated kind misaligned at ERROR2
// with    -D CASE=3
// expect  sc,rc11 violated kind misaligned at ERROR3
// with    -D CASE=4
// expect  sc,rc11 violated kind misaligned at ERROR4
// with    -D CASE=6
// expect  sc,tso,armv8,rc11 violated kind misaligned at ERROR6
// with    -D CASE=7
// expect  sc,rc11 violated kind misaligned at ERROR7
// with    -D CASE=8
// expect  sc,rc11 violated kind misaligned at ERROR8
// with    -D CASE=9
// expect  sc,rc11 violated kind misaligned at ERROR9
// because One thread without choices has one execution.
// with    -D CASE=5
// expect  sc,tso,armv8,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <stdatomic.h>
#include <stdlib.h>

static _Alignas(8) char bytes[16];
static _Alignas(16) char more[32];
static struct {
  int a, b;
} pair; // at a multiple of four

int main(void) {
  _Alignas(8) char local[16] = {0};
  (void)local;
#if CASE == 1
  atomic_store((atomic_int *)(bytes + 1), 1); // ERROR1
#elif CASE == 2
  return atomic_fetch_add((atomic_long *)(bytes + 4), 1) != 0; // ERROR2
#elif CASE == 3
  return atomic_load((atomic_short *)(local + 3)); // ERROR3
#elif CASE == 4
  int expected = 0;
  return atomic_compare_exchange_strong((atomic_int *)(local + 2), &expected, 1); // ERROR4
#elif CASE == 6
  return atomic_fetch_add((_Atomic __int128 *)(more + 8), 1) != 0; // ERROR6
#elif CASE == 7
  __int128 expected = 0;
  return atomic_compare_exchange_strong((_Atomic __int128 *)bytes, &expected, 1); // ERROR7
#elif CASE == 8
  return atomic_load((_Atomic __int128 *)(more + 8)) != 0; // ERROR8
#elif CASE == 9
  return atomic_fetch_add((atomic_long *)&pair, 1) != 0; // ERROR9
#else
  atomic_store((_Atomic __int128 *)(more + 16), 1);
  atomic_store((atomic_int *)(bytes + 4), 1);
  atomic_store((atomic_char *)(local + 3), 1);
  *(volatile short *)(bytes + 1) = 1; // plain accesses of this target may be unaligned
#endif
  return 0;
}
