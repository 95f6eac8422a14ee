/* Mathematics at points where the results are known exactly, or to a last place.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <complex.h>
#include <fenv.h>
#include <math.h>
#include <stdint.h>
#include "check.h"
static volatile double two = 2, half = 0.5, big = 1e300, third = 1.0 / 3;
#define NEAR(x, y) CHECK(fabs((x) - (y)) <= 2e-15 * fmax(1, fabs(y)))
int main(void) {
  CHECK(sqrt(two * two * 4) == 4 && floor(-half) == -1 && ceil(half) == 1 && trunc(-1.5 * half) == 0 && round(2 * half + half) == 2);
  CHECK(rint(two + half) == 2 && nearbyint(two + half + 1) == 4 && lrint(two + half) == 2 && lround(two + half) == 3);
  NEAR(sin(1 / two), 0.479425538604203); NEAR(cos(two), -0.416146836547142387); NEAR(tan(half), 0.546302489843790513);
  NEAR(exp(two), 7.38905609893065023); NEAR(log(two), 0.693147180559945309); NEAR(log10(1000 * half * two), 3);
  NEAR(pow(two, half), 1.41421356237309505); NEAR(atan2(1, -half * 2), 2.35619449019234493); NEAR(sinh(half), 0.521095305493747362);
  NEAR(cbrt(27 * half * two), 3); NEAR(tgamma(5 * half * two), 24); NEAR(lgamma(10 * half * two), 12.8018274800814696);
  NEAR(erf(half), 0.520499877813046538); NEAR(hypot(3, two * 2), 5); NEAR(asin(half), 0.523598775598298873); NEAR(j0(two), 0.223890779141235668);
  CHECK(fmod(7.5, two) == 1.5 && remainder(7.5, two) == -0.5 && fma(two, 3, 1) == 7 && fmaf(2, 3, 1) == 7);
  CHECK(isinf(big * big) && isnan(sqrt(-two)) && signbit(-0.0) && copysign(3, -two) == -3 && fmax(1, two) == 2 && fmin(1, __builtin_nan("")) == 1);
  int e;
  double whole;
  CHECK(frexp(two * 4, &e) == 0.5 && e == 4 && ldexp(half, 3) == 4 && modf(2.75, &whole) == 0.75 && whole == 2 && ilogb(two * 4) == 3);
  CHECK(__builtin_frexp(-two * 5, &e) == -0.625 && e == 4 && __builtin_frexp(third, &e) == third * 2 && e == -1);
  CHECK(__builtin_frexp(two * 0x1p-1074, &e) == 0.5 && e == -1072 && signbit(__builtin_frexp(-0.0 * two, &e)) && e == 0);
  CHECK(__builtin_frexpf((float)two * 0x1p-149f, &e) == 0.5f && e == -147 && isinf(__builtin_frexpf((float)(big * big), &e)));
  CHECK(nextafter(1, 2) > 1 && sinl(1 / (long double)two) == sin(0.5) && sizeof(long double) == 8 && floorf(2.5f) == 2);
  CHECK(fegetround() == FE_TONEAREST && fesetround(FE_TONEAREST) == 0 && fesetround(-1) != 0);
  double complex z = (1 + two * I) * (3 - I);
  CHECK(creal(z) == 5 && cimag(z) == 5 && cabs(3 + 4 * I) == 5);
  z = z / (1 + two * I);
  NEAR(creal(z), 3); NEAR(cimag(z), -1);
  __int128 huge = (__int128)1 << 100;
  CHECK((uint64_t)(huge >> 90) == 1024 && (uint64_t)(huge / 1000000007 % 1000) == (uint64_t)((((unsigned __int128)1 << 100) / 1000000007) % 1000));
  puts("ok");
}
