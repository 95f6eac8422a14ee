// what    a branch on a member of an allocated object that was never set
// why     malloc gives no zeros; calloc does
// expect  sc,tso,pso violated kind uninitialised at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
#ifdef MENDED
  int *p = calloc(2, sizeof *p);
#else
  int *p = malloc(2 * sizeof *p);
#endif
  p[0] = 0;
  int sum = p[0] + p[1];
  int result = 0;
  if (sum) // ERROR
    result = 1;
  free(p);
  return result;
}
