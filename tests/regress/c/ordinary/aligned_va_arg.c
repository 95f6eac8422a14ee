// what    arguments of 16-byte alignment behind the dots, one word away from such a place
// why     where the optimiser kept the list in registers they were read one word too far: an assertion failed that holds
// with    -O0
// expect  sc,tso unknown reason an argument of 16-byte alignment behind the dots is not supported
// with    -O1
// expect  sc,tso unknown reason an argument of 16-byte alignment behind the dots is not supported
// with    -O2
// expect  sc,tso unknown reason an argument of 16-byte alignment behind the dots is not supported
// with    -O3
// expect  sc,tso unknown reason an argument of 16-byte alignment behind the dots is not supported
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdarg.h>

static volatile long one = 1;

__attribute__((noinline)) static long sum(int n, ...) {
  va_list list;
  va_start(list, n);
  __int128 s = va_arg(list, int);
  for (int i = 0; i < n; i++) s += va_arg(list, __int128);
  va_end(list);
  return (long)s;
}

int main(void) {
  __int128 a = one, b = 2 * one;
  assert(sum(2, (int)one, a, b) == 4);
  return 0;
}
