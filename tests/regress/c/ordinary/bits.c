// what    bit-fields in structures that are set field by field
// why     a store to one field reads the unit around it, which has no value yet
// because One thread without choices has one execution.
// with    -O0
// expect  sc,tso holds executions 1
// with    -O1
// expect  sc,tso holds executions 1
// with    -O2
// expect  sc,tso holds executions 1
// with    -O3
// expect  sc,tso holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdlib.h>
#include <string.h>
struct flags { unsigned a : 3, b : 5; int c : 9; unsigned d : 15; unsigned char e : 1, f : 7; unsigned long g : 40, h : 24; };
static struct flags make(unsigned a) { struct flags x; x.a = a; x.b = a + 1; return x; }
static int use(const struct flags *p) { return p->a == 3 ? p->b : -1; }
struct mixed { char c; unsigned x : 4; unsigned y : 12; short s; };
int main(void) {
  struct flags x;
  x.a = 5;
  assert(x.a == 5);
  if (x.a != 5) return 1;
  x.c = -7;
  assert(x.c == -7);
  x.g = 0x1234567890ul;
  assert(x.g == 0x1234567890ul);
  x.h = 77;
  assert(x.h == 77 && x.g == 0x1234567890ul);
  x.e = 1; x.f = 100;
  assert(x.e && x.f == 100);
  struct flags y = make(3);
  assert(use(&y) == 4);
  struct flags *h = malloc(sizeof *h);
  h->d = 9;
  assert(h->d == 9);
  h->d++;
  assert(h->d == 10);
  struct flags copy = *h;
  assert(copy.d == 10);
  struct flags other;
  memcpy(&other, h, sizeof other);
  assert(other.d == 10);
  free(h);
  struct mixed m, *pm = &m;
  pm->y = 1000; pm->c = 'x';
  assert(m.y == 1000 && m.c == 'x');
  struct flags arr[4];
  for (int i = 0; i < 4; i++) arr[i].b = (unsigned)i;
  unsigned sum = 0;
  for (int i = 0; i < 4; i++) sum += arr[i].b;
  assert(sum == 6);
  return 0;
}
