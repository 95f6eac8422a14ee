// what     saturating sums, differences and conversions, reductions of vectors, and functions of <math.h> as intrinsics
// why      compilers make them of plain code and of builtins; they were not supported (integers of 128 bits included)
// expect   sc,rc11  holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <limits.h>

typedef int Int4 __attribute__((vector_size(16)));
typedef unsigned Unsigned4 __attribute__((vector_size(16)));
typedef unsigned char Byte16 __attribute__((vector_size(16)));
typedef double Double2 __attribute__((vector_size(16)));
typedef float Float4 __attribute__((vector_size(16)));
typedef __int128 Wide;
typedef unsigned __int128 UWide;

#define MOST ((Wide)(~(UWide)0 >> 1))
#define LEAST (-MOST - 1)

static void saturation(void) {
  volatile int c = INT_MAX - 9;
  volatile unsigned u = UINT_MAX - 1;
  volatile long long l = LLONG_MIN;
  volatile Wide w = MOST - 1, v = LEAST + 1;
  volatile UWide x = ~(UWide)0 - 1, y = 1;
  assert(__builtin_elementwise_add_sat((int)c, 100) == INT_MAX && __builtin_elementwise_sub_sat((int)-c, 100) == INT_MIN);
  assert(__builtin_elementwise_add_sat((unsigned)u, 1u) == UINT_MAX && __builtin_elementwise_add_sat((unsigned)u, 9u) == UINT_MAX);
  assert(__builtin_elementwise_sub_sat(3u, (unsigned)u) == 0 && __builtin_elementwise_sub_sat((long long)l, 1LL) == LLONG_MIN);
  assert(__builtin_elementwise_add_sat((Wide)w, (Wide)1) == MOST && __builtin_elementwise_add_sat((Wide)w, (Wide)2) == MOST);
  assert(__builtin_elementwise_add_sat((Wide)v, (Wide)-1) == LEAST && __builtin_elementwise_add_sat((Wide)v, (Wide)-2) == LEAST);
  assert(__builtin_elementwise_sub_sat((Wide)v, (Wide)w) == LEAST && __builtin_elementwise_sub_sat((Wide)w, (Wide)v) == MOST);
  assert(__builtin_elementwise_add_sat((UWide)x, (UWide)1) == ~(UWide)0 && __builtin_elementwise_add_sat((UWide)x, (UWide)x) == ~(UWide)0);
  assert(__builtin_elementwise_sub_sat((UWide)y, (UWide)x) == 0 && __builtin_elementwise_sub_sat((UWide)x, (UWide)y) == x - 1);
}

static void reductions(void) {
  volatile int seven = 7;
  const Int4 i = {3, -9, seven, 2};
  const Unsigned4 u = {3, ~0u, (unsigned)seven, 2};
  const Byte16 b = {1, 2, 3, 200, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
  const Double2 d = {2.5, -4.5};
  const Float4 f = {1.0f, __builtin_nanf(""), (float)seven, -3.0f};
  assert(__builtin_reduce_max(i) == 7 && __builtin_reduce_min(i) == -9);
  assert(__builtin_reduce_max(u) == ~0u && __builtin_reduce_min(u) == 2 && __builtin_reduce_max(b) == 200);
  assert(__builtin_reduce_add(i) == 3 && __builtin_reduce_mul(i) == -378 && __builtin_reduce_xor(i) == (3 ^ -9 ^ 7 ^ 2));
  assert(__builtin_reduce_and(u) == 2 && __builtin_reduce_or(u) == ~0u);
  assert(__builtin_reduce_max(d) == 2.5 && __builtin_reduce_min(d) == -4.5);
  assert(__builtin_reduce_max(f) == 7.0f && __builtin_reduce_min(f) == -3.0f);
}

static void functions(void) {
  volatile double zero = 0, half = 0.5;
  volatile float one = 1;
  assert(__builtin_elementwise_tan((double)zero) == 0 && __builtin_elementwise_asin((double)zero) == 0);
  assert(__builtin_elementwise_acos((float)one) == 0 && __builtin_elementwise_atan((double)zero) == 0);
  assert(__builtin_elementwise_sinh((double)zero) == 0 && __builtin_elementwise_cosh((double)zero) == 1);
  assert(__builtin_elementwise_tanh((float)(one - 1)) == 0 && __builtin_elementwise_tan((double)half) > half);
}

int main(void) {
  saturation();
  reductions();
  functions();
  return 0;
}
