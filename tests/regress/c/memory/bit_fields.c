// what    bit-fields beside bits that were never set: padding, neighbours, whole units
// why     definedness is kept by bit: a shift that drops the undefined bits leaves a defined value
// because One thread without choices has one execution.
// expect  sc,tso,pso,rc11 holds executions 1
// with    -O1
// expect  sc holds executions 1
// with    -O2
// expect  sc holds executions 1
// with    -D UNSET
// expect  sc,tso,rc11 violated kind uninitialised at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdlib.h>

struct narrow { unsigned a : 15; int b : 8; int c : 10; };
struct wide { unsigned long a : 40; long b : 37; unsigned c : 3; int d : 21; };
static struct narrow global = {5, 6, 7};

int main(void) {
  assert(global.a == 5 && global.b == 6 && global.c == 7);
  struct narrow s;
  s.b = -3;
  assert(s.b == -3);
  s.b++;
  assert(s.b == -2);
  struct narrow copy = s;
  assert(copy.b == -2);
#ifdef UNSET
  if (copy.a == 3)  // ERROR
    return 1;
#endif
  struct wide *t = malloc(sizeof *t);
  t->b = -5;
  t->c = 6;
  assert(t->b == -5 && t->c == 6);
  t->d = t->b;
  assert(t->d == -5);
  t->a = 1UL << 39;
  assert(t->a >> 39 == 1 && t->b == -5);
  struct narrow *volatile shared = &s;
  shared->c = 100;
  assert(shared->c == 100 && shared->b == -2);
  shared->a |= 7;
  assert((shared->a & 7) == 7);
  unsigned bits;
  unsigned *volatile some = &bits;
  *some = (*some & ~0xf0u) | 0x50;
  assert((*some & 0x70) == 0x50 && (*some | ~0x50u) == ~0u);
  free(t);
  return 0;
}
