// what    objects of a tebibyte: a static one, a local one of variable size, one whose size overflows
// why     a size that cannot be represented is said to be so, and never taken for a smaller one
// expect  sc,tso,rc11 unknown reason a variable of more than 64 MiB
// with    -D LOCAL
// expect  sc,tso,rc11 unknown reason an object of more than 64 MiB
// because Nothing is wrong with the program under sc: an engine that looks there has the same reason as others.
// with    -D LOCAL --engine drf
// expect  rc11 unknown reason an object of more than 64 MiB
// with    -D OVERFLOW
// expect  sc,tso,rc11 unknown reason an object of more than 64 MiB
// with    -D NEGATIVE
// expect  sc,tso,rc11 violated kind array-size
// because One thread without choices has one execution.
// with    -D UNUSED
// expect  sc holds executions 1
// SPDX-License-Identifier: Apache-2.0
static char a[1L << 40];
volatile unsigned long n = 1UL << 40, wraps = (1UL << 61) + 1;

int main(void) {
#if defined LOCAL
  char b[n];
  b[5] = 1;
  return b[5] - 1;
#elif defined OVERFLOW
  long b[wraps];
  b[0] = 1;
  return (int)b[0] - 1;
#elif defined NEGATIVE
  int b[-(int)(n >> 40)];
  b[0] = 1;
  return b[0] - 1;
#elif defined UNUSED
  return 0;
#else
  a[n >> 38] = 1;
  return 0;
#endif
}
