// what    a write one past the end of an allocated array
// why     the classic; the object beside it must not be hit silently
// expect  sc,tso,pso violated kind out-of-bounds at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
#ifdef MENDED
  int length = 4;
#else
  int length = 5;
#endif
  int *a = malloc(4 * sizeof *a);
  for (int i = 0; i < length; i++) {
    a[i] = i; // ERROR
  }
  free(a);
  return 0;
}
