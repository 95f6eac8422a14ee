// what    a program that asks for another rounding mode than that to the nearest
// why     fesetround() failed without a word, which it does not on x86-64: the verdict was SAFE
// expect  sc unknown reason rounding mode
// with    -D SAME
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <fenv.h>

int main(void) {
#ifdef SAME
  assert(fesetround(FE_TONEAREST) == 0 && fegetround() == FE_TONEAREST);
  assert(fesetround(-1) != 0);
#else
  assert(fesetround(FE_DOWNWARD) != 0);
#endif
  return 0;
}
