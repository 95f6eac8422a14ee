/* The rounding mode is to nearest and cannot be changed. Other functions of <fenv.h> are not offered.
 * SPDX-License-Identifier: Apache-2.0 */
int fegetround(void) { return 0; }
int fesetround(int mode) { return mode != 0; }
int __flt_rounds(void) { return 1; }
