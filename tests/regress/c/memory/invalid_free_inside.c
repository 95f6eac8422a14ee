// what    free of a pointer into the middle of an object
// why     only what malloc gave may be freed
// expect  sc,tso,pso violated kind invalid-free at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
  char *p = malloc(3);
#ifdef MENDED
  free(p);
#else
  free(p + 1); // ERROR
#endif
  return 0;
}
