// what    a local that is set on one path only, or in an earlier round, and read on another
// why     it was SAFE where locals become registers: promotion took the value of the other path for it
// with    -D CASE=1
// expect  sc,tso,armv8,riscv,power,rmo,rc11,nsw,lmo violated kind uninitialised at ERROR1
// with    -D CASE=2
// expect  sc,tso,armv8,riscv,power,rmo,rc11,nsw,lmo violated kind uninitialised at ERROR2
// with    -D CASE=3
// expect  sc,tso,armv8,riscv,power,rmo,rc11,nsw,lmo violated kind uninitialised at ERROR3
// with    -D CASE=4
// expect  sc,tso,armv8,riscv,power,rmo,rc11,nsw,lmo violated kind uninitialised at ERROR4
// because One thread without choices has one execution.
// with    -D CASE=5
// expect  sc,tso,armv8,riscv,power,rmo,rc11 holds executions 1
// expect  nsw,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <stdatomic.h>

atomic_int a, b;
int x;

static int chosen(int n) {
  if (n) return 1;
}

int main(void) {
#if CASE == 1
  if (chosen(a)) b = 1; // ERROR1
#elif CASE == 2
  int *p;
  if (a) p = &x;
  *p = 1; // ERROR2
#elif CASE == 3
  int y;
  if (a) y = 5;
  if (y == 5) b = 1; // ERROR3
#elif CASE == 4
  for (int i = 0; i < 2; i++) {
    int y;
    if (i == 0) y = 5;
    a = 1;
    if (y == 5) b = 1; // ERROR4
  }
#else
  for (int i = 0; i < 2; i++) {
    int y;
    if (i == 0) y = a;
    b = 1;
    if (i == 0 && y == 5) b = 2;
  }
#endif
}
