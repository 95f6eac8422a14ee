// what    an object that nothing points to any more when the program ends
// why     the last pointer is overwritten
// expect  sc,tso,pso violated kind memory-leak
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
#ifdef MENDED
  free(p);
#endif
  p = 0;
  return p != 0;
}
