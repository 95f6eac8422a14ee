// what    a read of an object that was freed
// why     both the access and the free are known
// expect  sc,tso,pso violated kind use-after-free at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
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
