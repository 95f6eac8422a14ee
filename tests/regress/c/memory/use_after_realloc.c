// what    a pointer that was kept over realloc
// why     realloc always moves here, so that it is found every time
// expect  sc,tso,pso violated kind use-after-free at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p), *old = p;
  *p = 3;
  p = realloc(p, 2 * sizeof *p);
#ifdef MENDED
  old = p;
#endif
  int value = *old; // ERROR
  free(p);
  return value - 3;
}
