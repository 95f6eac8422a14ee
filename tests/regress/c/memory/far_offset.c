// what    an index that takes a pointer 4 GiB past its object, and one that wraps the address space
// why     offsets have 32 bits: one more must neither carry into the object's name nor come back into the object
// expect  sc,tso,pso,ra,rc11,armv8 violated kind out-of-bounds at ERROR
// with    -D WRAPS
// expect  sc,tso,pso,rc11 violated kind out-of-bounds at ERROR
// with    -D BACK
// because a pointer may go astray as long as it comes back before it is used
// because One thread without choices has one execution.
// expect  sc,tso,rc11 holds executions 1
// with    -D BACK -O2
// expect  sc holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdlib.h>

int main(void) {
  int *p = malloc(8), *q = malloc(8);
  volatile unsigned long gib = 1UL << 30;
  *p = 1;
  *q = 0;
#if defined BACK
  char *c = (char *)p + 8 * gib;
  assert(c != (char *)p && c > (char *)p && c - (char *)p == 8L << 30);
  c -= 8 * gib;
  assert(c == (char *)p && *(int *)c == 1);
  int *far = p + 1024 * gib;
  assert(far - p == 1L << 40 && far != q);
  char *low = (char *)p - 32 * gib;
  assert(low < (char *)p && (char *)p - low == 32L << 30);
  unsigned long n = (unsigned long)far;
  n -= 4096 * gib;
  assert(*(int *)n == 1);
#elif defined WRAPS
  const unsigned long index = gib << 32;
#else
  const unsigned long index = gib;
#endif
#ifndef BACK
  p[index] = 7;  // ERROR
  assert(*q != 7);
#endif
  free(p);
  free(q);
  return 0;
}
