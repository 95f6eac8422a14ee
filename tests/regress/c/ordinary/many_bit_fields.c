// what    bit-fields of a packed structure of 17 bytes and of one of 32, which are read and written as one integer
// why     integers of more than 128 bits were not supported
// with    -O0
// expect  sc,tso holds executions 1
// with    -O2
// expect  sc,tso holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

struct __attribute__((packed)) S {
  unsigned long long a : 60;
  long long b : 51;
  unsigned c : 3;
  int d : 22;
};
struct __attribute__((packed)) T {
  unsigned long long a : 63;
  long long b : 62;
  unsigned long long c : 61;
  int d : 31;
  unsigned e : 32;
  int f : 7;
};

static struct S s;
static struct T t;

int main(void) {
  struct S local = {0x123456789abcdefULL, -5, 5, -7};
  s = local;
  s.b = -0x3ffffffffffffLL;
  s.d += 3;
  assert(s.a == 0x123456789abcdefULL && s.b == -0x3ffffffffffffLL && s.c == 5 && s.d == -4);
  s.c = 2;
  s.a = ~0ULL;
  assert(s.a == (1ULL << 60) - 1 && s.b == -0x3ffffffffffffLL && s.c == 2 && s.d == -4);
  t.a = ~0ULL;
  t.b = -3;
  t.c = 0x1234567890abcdefULL;
  t.d = -1;
  t.e = 0xdeadbeef;
  t.f = -64;
  t.d = 12345678;
  assert(t.a == ~0ULL >> 1 && t.b == -3 && t.c == 0x1234567890abcdefULL && t.d == 12345678);
  assert(t.e == 0xdeadbeef && t.f == -64);
  t.e++;
  assert(t.e == 0xdeadbef0 && t.d == 12345678 && t.f == -64);
  return 0;
}
