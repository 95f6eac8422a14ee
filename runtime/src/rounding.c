/* The rounding mode is to nearest; a program that asks for another one cannot be checked. Other functions of <fenv.h> are
 * not offered.
 * SPDX-License-Identifier: Apache-2.0 */
#include <fenv.h>
#include <heddle_vm.h>

int fegetround(void) { return FE_TONEAREST; }
int fesetround(int mode) {
  if (mode == FE_DOWNWARD || mode == FE_UPWARD || mode == FE_TOWARDZERO)
    __heddle_unsupported("a rounding mode other than to nearest");
  return mode != FE_TONEAREST;
}
int __flt_rounds(void) { return 1; }
