// what    branches on the result of an out-of-range conversion, of a shift too far and of counting the zeros of zero
// why     no memory was left uninitialised: the operation is what the user must look at
// expect  sc,rc11 violated kind undefined-result at ERROR
// with    -D SHIFT
// expect  sc,rc11 violated kind undefined-result at ERROR
// with    -D COUNT
// expect  sc,rc11 violated kind undefined-result at ERROR
// with    -D COUNT_WIDE
// expect  sc,rc11 violated kind undefined-result at ERROR
// with    -D COUNT_LEFT
// expect  sc,rc11 violated kind undefined-result at ERROR
// SPDX-License-Identifier: Apache-2.0
volatile double large = 1e30;
volatile unsigned zero, forty = 40;

int main(void) {
#if defined SHIFT
  int i = 1 << forty;
#elif defined COUNT
  int i = __builtin_ctz(zero);
#elif defined COUNT_WIDE
  int i = __builtin_ctzg((unsigned __int128)zero);
#elif defined COUNT_LEFT
  int i = __builtin_clzg((unsigned __int128)zero);
#else
  int i = (int)large;
#endif
  if (i)  // ERROR
    return 1;
  return 0;
}
