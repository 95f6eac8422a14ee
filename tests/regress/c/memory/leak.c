// what    an object that nothing points to any more when the program ends
// why     the last pointer is overwritten
// expect  sc,tso,pso violated kind memory-leak
// with    -D MENDED
// expect  sc,tso,pso,lmo holds
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
