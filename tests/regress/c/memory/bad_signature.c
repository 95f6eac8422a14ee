// what    calls through a pointer to a function of another type
// why     what is missing or lies elsewhere is whatever a register holds
// with    -D CASE=1
// expect  sc,rc11 violated kind bad-call at ERROR1
// with    -D CASE=2
// expect  sc,rc11 violated kind bad-call at ERROR2
// with    -D CASE=3
// expect  sc,rc11 violated kind bad-call at ERROR3
// with    -D CASE=5
// expect  sc,rc11 violated kind bad-call at ERROR5
// with    -D CASE=6
// expect  sc,rc11 violated kind bad-call at ERROR6
// because One thread without choices has one execution.
// with    -D CASE=4
// expect  sc,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

static int two(int a, int b) { return a + b; }
static double real(double x) { return x; }
static int wide(long x) { return x != 0; }
static int narrow(int x) { return x == 1; }
static int none(void) { return 5; }
static void *same(void *p) { return p; }

int main(void) {
#if CASE == 1
  int (*f)(int) = (int (*)(int))two;
  return f(1); // ERROR1
#elif CASE == 2
  int (*f)(int) = (int (*)(int))real;
  return f(1); // ERROR2
#elif CASE == 3
  int (*f)(int) = (int (*)(int))wide;
  return f(1); // ERROR3
#elif CASE == 5
  int (*f)(long) = (int (*)(long))narrow;
  return f(0x100000001); // ERROR5
#elif CASE == 6
  int (*f)(void *) = (int (*)(void *))same;
  return f(0); // ERROR6
#else
  int (*more)(int) = (int (*)(int))none;
  long (*as_number)(long) = (long (*)(long))same;
  int (*old)() = two;
  assert(more(1) == 5 && as_number(7) == 7 && old(1, 2) == 3);
#endif
  return 0;
}
