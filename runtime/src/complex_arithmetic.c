/* What clang calls for complex multiplication and division (C11, annex G.5.1).
 * SPDX-License-Identifier: Apache-2.0 */
#define PAIR(type) type _Complex
#define MAKE(type, name, copysign, isnan, isinf, fabs, logb, scalbn, fmax, isfinite)                                  \
  static PAIR(type) name##_pair(type re, type im) {                                                                   \
    PAIR(type) z;                                                                                                     \
    __real__ z = re;                                                                                                  \
    __imag__ z = im;                                                                                                  \
    return z;                                                                                                         \
  }                                                                                                                   \
  static type name##_box(type v) { return copysign(isinf(v) ? (type)1 : (type)0, v); }                                \
  PAIR(type) __mul##name(type a, type b, type c, type d) {                                                            \
    type ac = a * c, bd = b * d, ad = a * d, bc = b * c, re = ac - bd, im = ad + bc;                                  \
    if (isnan(re) && isnan(im)) {                                                                                     \
      int again = 0;                                                                                                  \
      if (isinf(a) || isinf(b)) {                                                                                     \
        a = name##_box(a), b = name##_box(b);                                                                         \
        if (isnan(c)) c = copysign((type)0, c);                                                                       \
        if (isnan(d)) d = copysign((type)0, d);                                                                       \
        again = 1;                                                                                                    \
      }                                                                                                               \
      if (isinf(c) || isinf(d)) {                                                                                     \
        c = name##_box(c), d = name##_box(d);                                                                         \
        if (isnan(a)) a = copysign((type)0, a);                                                                       \
        if (isnan(b)) b = copysign((type)0, b);                                                                       \
        again = 1;                                                                                                    \
      }                                                                                                               \
      if (!again && (isinf(ac) || isinf(bd) || isinf(ad) || isinf(bc))) {                                             \
        if (isnan(a)) a = copysign((type)0, a);                                                                       \
        if (isnan(b)) b = copysign((type)0, b);                                                                       \
        if (isnan(c)) c = copysign((type)0, c);                                                                       \
        if (isnan(d)) d = copysign((type)0, d);                                                                       \
        again = 1;                                                                                                    \
      }                                                                                                               \
      if (again) re = (type)__builtin_inf() * (a * c - b * d), im = (type)__builtin_inf() * (a * d + b * c);          \
    }                                                                                                                 \
    return name##_pair(re, im);                                                                                       \
  }                                                                                                                   \
  PAIR(type) __div##name(type a, type b, type c, type d) {                                                            \
    int shift = 0;                                                                                                    \
    type scale = logb(fmax(fabs(c), fabs(d)));                                                                        \
    if (isfinite(scale)) {                                                                                            \
      shift = (int)scale;                                                                                             \
      c = scalbn(c, -shift), d = scalbn(d, -shift);                                                                   \
    }                                                                                                                 \
    type denominator = c * c + d * d;                                                                                 \
    type re = scalbn((a * c + b * d) / denominator, -shift), im = scalbn((b * c - a * d) / denominator, -shift);      \
    if (isnan(re) && isnan(im)) {                                                                                     \
      if (denominator == 0 && (!isnan(a) || !isnan(b))) {                                                             \
        re = copysign((type)__builtin_inf(), c) * a, im = copysign((type)__builtin_inf(), c) * b;                     \
      } else if ((isinf(a) || isinf(b)) && isfinite(c) && isfinite(d)) {                                              \
        a = name##_box(a), b = name##_box(b);                                                                         \
        re = (type)__builtin_inf() * (a * c + b * d), im = (type)__builtin_inf() * (b * c - a * d);                   \
      } else if (isinf(scale) && scale > 0 && isfinite(a) && isfinite(b)) {                                           \
        c = name##_box(c), d = name##_box(d);                                                                         \
        re = (type)0 * (a * c + b * d), im = (type)0 * (b * c - a * d);                                               \
      }                                                                                                               \
    }                                                                                                                 \
    return name##_pair(re, im);                                                                                       \
  }

#include <math.h>
MAKE(double, dc3, __builtin_copysign, __builtin_isnan, __builtin_isinf, __builtin_fabs, logb, scalbn, fmax,
     __builtin_isfinite)
MAKE(float, sc3, __builtin_copysignf, __builtin_isnan, __builtin_isinf, __builtin_fabsf, logbf, scalbnf, fmaxf,
     __builtin_isfinite)
