// what    branches on the result of an out-of-range conversion, of a shift too far and of counting the zeros of zero
// why     no memory was left uninitialised: the operation is what the user must look at
// expect  sc,rc11 violated kind undefined-result at ERROR
// with    -D SHIFT
// expect  sc,rc11 violated kind undefined-result at ERROR
// with    -D COUNT
// expect  sc,rc11 violated kind undefined-result at ERROR
// with    -D WIDE
// expect  sc,rc11 violated kind undefined-result at ERROR
// with    -D SIGNED_WIDE
// expect  sc,rc11 violated kind undefined-result at ERROR
// with    -D FITS
// expect  sc,rc11 holds
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
#elif defined WIDE
  int i = (unsigned _BitInt(99))large == 5; // 1e30 is more than 2 to the power of 99
#elif defined SIGNED_WIDE
  int i = (_BitInt(100))-large == 5;
#elif defined FITS
  int i = (unsigned _BitInt(100))large == 5 || (_BitInt(101))-large >= 0;
#else
  int i = (int)large;
#endif
  if (i)  // ERROR
    return 1;
  return 0;
}
