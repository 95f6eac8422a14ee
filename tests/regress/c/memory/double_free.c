// what    an object that is freed twice
// why     found at the second free
// expect  sc,tso,pso violated kind double-free at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
  char *p = malloc(3);
  char *alias = p;
  free(p);
#ifndef MENDED
  free(alias); // ERROR
#endif
  (void)alias;
  return 0;
}
