// what    integers of 65 to 127 bits: packed bit-fields that lie across words, and _BitInt
// why     they take two registers, of which the upper one is not full
// options --std c2x
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

struct __attribute__((packed)) twelve { uint64_t a : 37, b : 40; int64_t c : 19; };
struct __attribute__((packed)) ten { uint64_t a : 5; int64_t b : 60; uint64_t c : 15; };
typedef unsigned _BitInt(96) u96;
typedef _BitInt(96) s96;
typedef unsigned _BitInt(80) u80;
typedef _BitInt(80) s80;
typedef _BitInt(65) s65;
typedef unsigned _BitInt(127) u127;

struct twelve twelve = {1, 2, -3};
struct ten ten[3];
volatile int64_t minus = -7;
volatile uint64_t large = 0xfedcba9876543210;
u96 global = ((u96)0x01234567 << 64) | 0x89abcdef01234567;

static void fields(void) {
  assert(twelve.a == 1 && twelve.b == 2 && twelve.c == -3);
  twelve.b = large;
  assert(twelve.a == 1 && twelve.b == (large & 0xffffffffff) && twelve.c == -3);
  twelve.c = minus;
  twelve.a += 5;
  assert(twelve.a == 6 && twelve.b == (large & 0xffffffffff) && twelve.c == -7);
  for (int i = 0; i < 3; ++i) ten[i] = (struct ten){(uint64_t)i, minus * i, (uint64_t)(i + 100)};
  ten[1].b -= 1;
  for (int i = 0; i < 3; ++i) assert(ten[i].a == (uint64_t)i && ten[i].b == -7 * i - (i == 1) && ten[i].c == (uint64_t)(i + 100));
  struct twelve local;
  local.a = 3, local.b = 4, local.c = minus;
  assert(local.a + local.b == 7 && local.c == minus);
}

static void numbers(void) {
  u96 a = large, b = (a << 31) + 5;
  assert((uint64_t)(b >> 31) == large && (uint64_t)(b & 31) == 5);
  assert((u96)(a << 95) == 0 && (u96)~(u96)0 + 1 == 0);
  assert(a * a == (u96)((unsigned __int128)large * large));
  s96 c = minus, d = c * ((s96)1 << 60);
  assert(c < 0 && d < c && d / c == (s96)1 << 60 && c % 4 == -3 && (c >> 1) == -4);
  assert((__int128)d == minus * ((__int128)1 << 60) && (s80)d == (s80)(minus * ((__int128)1 << 60)) && (int64_t)c == minus);
  u80 e = (u80)d;
  assert((unsigned __int128)e == ((unsigned __int128)(minus * ((__int128)1 << 60)) << 48 >> 48));
  s65 f = (s65)minus * 1000000007;
  assert(f == minus * 1000000007 && (double)f == -7000000049.0 && (s65)-7000000049.0 == f);
  u127 g = ~(u127)0;
  assert((unsigned __int128)g == ~(unsigned __int128)0 >> 1 && g / 3 * 3 + g % 3 == g && (s96)(double)((s96)1 << 80) == (s96)1 << 80);
  assert((uint32_t)(global >> 64) == 0x01234567 && (uint64_t)global == 0x89abcdef01234567);
  global ^= a;
  assert((u96)(global ^ a) >> 40 == ((u96)0x01234567 << 24 | 0x89abcd));
}

int main(void) {
  fields();
  numbers();
}
