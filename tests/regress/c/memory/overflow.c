// what    signed overflow and shifts too far, with --property overflow
// why     they are undefined; found only if asked for, since much code wraps on purpose
// options --property overflow
// with    -D CASE=1
// expect  sc,rc11 violated kind signed-overflow at ERROR1
// with    -D CASE=2
// expect  sc,rc11 violated kind signed-overflow at ERROR2
// with    -D CASE=3
// expect  sc,rc11 violated kind shift at ERROR3
// because One thread without choices has one execution.
// with    -D CASE=4
// expect  sc,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <limits.h>

static volatile int x = INT_MAX, y = 40;
static volatile unsigned u = UINT_MAX;

int main(void) {
#if CASE == 1
  x = x + 1; // ERROR1
#elif CASE == 2
  x = x * y; // ERROR2
#elif CASE == 3
  x = 1 << y; // ERROR3
#else
  u = u + 1;
  x = x - 1;
  x = 1 << (y - 10);
#endif
  return 0;
}
