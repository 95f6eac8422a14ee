// what     elements of vectors that are wider than a register, by an index that is not a constant
// why      libc++'s simd makes such vectors; an element has several parts, and the instructions were not supported
// options  --property assertion
// expect   sc,rc11  holds
// with     -D PAST
// expect   sc  violated kind uninitialised
// with     -D OTHER
// expect   sc  violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

typedef __int128 Wide;
typedef Wide Wide2 __attribute__((vector_size(32)));
typedef long Long4 __attribute__((vector_size(32)));

#define HIGH ((Wide)7 << 64)

int main(void) {
  volatile int one = 1, zero = 0;
  Wide2 a = {HIGH + 1, 2};
  a[one] = HIGH + 5;
  assert(a[zero] == HIGH + 1 && a[one] == HIGH + 5);
#ifdef OTHER
  assert(a[one] == 5);
#endif
  a[zero] += a[one];
  assert(a[0] == 2 * HIGH + 6 && a[1] == HIGH + 5);
  Long4 b = {1, 2, 3, 4};
  b[one + 2] = b[one];
  assert(b[3] == 2 && b[one - 1] == 1);
#ifdef PAST
  volatile int two = 2;
  if (a[two] == 3) return 1;
#endif
  return 0;
}
