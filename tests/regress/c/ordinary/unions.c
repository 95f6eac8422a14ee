// what    unions read through another member, tagged unions
// why     bytes keep their values whatever type they were written with
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
#include <stdint.h>
#include <string.h>
union u { float f; uint32_t i; unsigned char b[4]; double d; struct { short lo, hi; } s; };
struct tagged { enum { INT, STR, PAIR } tag; union { int i; const char *s; struct { char a, b; } p; } v; };
static int size(struct tagged t) { switch (t.tag) { case INT: return t.v.i; case STR: return (int)strlen(t.v.s); default: return t.v.p.a + t.v.p.b; } }
int main(void) {
  union u u;
  u.f = 1.0f;
  assert(u.i == 0x3f800000 && u.b[3] == 0x3f);
  u.s.lo = 1; u.s.hi = 2;
  assert(u.i == 0x20001);
  struct tagged a = {.tag = INT, .v.i = 4}, b = {.tag = STR, .v.s = "hello"}, c;
  c.tag = PAIR; c.v.p.a = 1; c.v.p.b = 2;
  assert(size(a) == 4 && size(b) == 5 && size(c) == 3);
  struct tagged t[3] = {a, b, c};
  int sum = 0;
  for (int i = 0; i < 3; i++) sum += size(t[i]);
  assert(sum == 12);
  double d = 2.0; uint64_t bits; memcpy(&bits, &d, 8);
  assert(bits == 0x4000000000000000);
  return 0;
}
