// what    free of a global variable
// why     only what malloc gave may be freed
// expect  sc,tso,pso violated kind invalid-free at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

static int global;

int main(void) {
  int *p = malloc(sizeof *p), *q = &global;
#ifdef MENDED
  q = p;
#else
  free(p);
#endif
  free(q); // ERROR
  return 0;
}
