// what    objects of no bytes are allocated, moved and freed
// why     an object of size 0 exists: it can be freed once, and holds nothing
// because One thread without choices has one execution.
// expect  sc,tso,rc11,armv8 holds executions 1
// with    -D READ
// expect  sc,rc11,armv8 violated kind out-of-bounds at HERE
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
  free(malloc(0));
  free(calloc(0, 4));
  char *p = realloc(malloc(0), 3);
  p[2] = 1;
  free(p);
#ifdef READ
  volatile char *q = malloc(0);
  return q[0]; // HERE
#endif
  return 0;
}
