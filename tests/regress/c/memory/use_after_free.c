// what    a read of an object that was freed
// why     both the access and the free are known
// expect  sc,tso,pso violated kind use-after-free at ERROR
// with    -D MENDED
// expect  sc,tso,pso,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
  *p = 1;
  int *alias = p;
#ifdef MENDED
  int value = *alias;
  free(p);
#else
  free(p);
  int value = *alias; // ERROR
#endif
  return value - 1;
}
