// what    128-bit integers, floating point, conversions
// why     arithmetic that the machine does in pieces
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
#include <math.h>
#include <stdint.h>
#include <stdio.h>
typedef unsigned __int128 u128; typedef __int128 i128;
static u128 mul(uint64_t a, uint64_t b) { return (u128)a * b; }
static u128 gcd(u128 a, u128 b) { while (b) { u128 t = a % b; a = b; b = t; } return a; }
int main(void) {
  u128 x = mul(0xffffffffffffffffu, 0xffffffffffffffffu);
  assert((uint64_t)(x >> 64) == 0xfffffffffffffffeu && (uint64_t)x == 1);
  assert(gcd((u128)1 << 100, (u128)1 << 70) == (u128)1 << 70);
  i128 n = -5; assert(n / 2 == -2 && n % 2 == -1 && (n >> 1) == -3);
  long double l = 1.5L; l *= 2; assert(l == 3.0L);
  assert(fabs(sin(0.5) * sin(0.5) + cos(0.5) * cos(0.5) - 1) < 1e-12 && sqrt(2.25) == 1.5 && floor(-1.5) == -2 && pow(2, 10) == 1024);
  assert(isnan(NAN) && isinf(INFINITY) && fmod(7.5, 2) == 1.5 && lround(2.5) == 3 && hypot(3, 4) == 5);
  float f = 16777217; assert(f == 16777216.0f);
  assert((int)-2.7 == -2 && (unsigned char)300 == 44 && (int8_t)200 == -56);
  printf("%Lf %a\n", l, 0.1);
  return 0;
}
