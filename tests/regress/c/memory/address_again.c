// what    the number of a freed object's address is compared with that of a new one
// why     malloc may give the same address again, which the checker never does: the verdict has to say so
// assumes freed memory is not allocated again at the same address
// expect  sc,rc11 holds
// with    -D SHARED
// expect  sc,rc11 holds
// with    -D POINTERS
// assumes nothing
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

_Atomic(uintptr_t) shared;

int main(void) {
  char *p = malloc(4);
  uintptr_t old = (uintptr_t)p;
  shared = old;
#ifdef POINTERS
  char *end = p + 4;
  assert(end - p == 4 && end != p && (old & 7) == 0 && old != 0);
  free(p);
#else
  free(p);
  char *q = malloc(4);
#ifdef SHARED
  assert(shared != (uintptr_t)q);
#else
  uintptr_t new = (uintptr_t)q;
  assert(old != new);
#endif
  free(q);
#endif
}
