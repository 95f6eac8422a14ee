// what    an allocation whose result is not looked at
// why     with --malloc-may-fail null is followed too
// expect  sc,tso holds
// with    --malloc-may-fail
// expect  sc,tso violated kind null-dereference at ERROR
// with    --malloc-may-fail -D MENDED
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

int main(void) {
  int *p = malloc(sizeof *p);
#ifdef MENDED
  if (!p) return 0;
#endif
  *p = 1; // ERROR
  free(p);
  return 0;
}
