// what    free of a local variable
// why     it was never allocated, and goes with its frame
// expect  sc,tso,pso violated kind invalid-free at ERROR
// with    -D EXIT
// expect  sc violated kind invalid-free at ERROR
// with    -O2
// expect  sc violated kind invalid-free at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

static int *opaque(int *volatile p) { return p; }

int main(void) {
  int local = 1;
  free(opaque(&local)); // ERROR
#ifdef EXIT
  exit(0);
#endif
  return 0;
}
