// what    parameters written as arrays of as many elements as another parameter says, which is 0 or not known
// why     the size of such a parameter is that of no array, as it is a pointer; the verdict was UNSAFE, at no line. That an
//         array's size has no value was called an assumption
// with    -D SIZE=0
// expect  sc,armv8,rc11 holds
// with    -D SIZE=0 -O 2
// expect  sc,armv8,rc11 holds
// with    -D SIZE=0 -D LOCAL -O 1
// expect  sc,armv8,rc11 violated kind array-size
// with    -D SIZE=0 -D LOCAL
// expect  sc,armv8,rc11 violated kind array-size at ERROR
// with    -D UNKNOWN
// expect  sc,armv8,rc11 violated kind uninitialised at UNSET
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stddef.h>

__attribute__((noinline)) static int sum(size_t n, const int a[n]) {
  int s = 0;
  for (size_t i = 0; i < n; i++) s += a[i];
  return s;
}

__attribute__((noinline)) static int rows(int n, int m, int a[n][m]) {
#ifdef LOCAL
  int copy[n]; // ERROR
  for (int i = 0; i < n; i++) copy[i] = a[i][0];
  return n > 0 ? copy[n - 1] : 0;
#else
  return n > 0 ? a[n - 1][m - 1] : 0;
#endif
}

int main(void) {
  int a[1][1] = {{0}};
#ifdef UNKNOWN
  int size;
  int b[size]; // UNSET
  b[0] = 1;
#else
  volatile int size = SIZE;
  assert(sum((size_t)size, a[0]) == 0);
  assert(rows(size, 1, a) == 0);
#endif
}
