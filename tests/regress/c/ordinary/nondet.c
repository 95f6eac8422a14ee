// what    values chosen by __VERIFIER_nondet_*: all of a small type, those of a range of a large one
// why     a range is a bound, and the verdict must say so unless it is all of the type
// expect  sc holds
// with    -D LARGE
// expect  sc unknown reason __VERIFIER_nondet_int has too many values to try all of them
// with    -D LARGE --nondet 0:3
// expect  sc holds up-to nondet 0:3
// with    -D SHORT --nondet -32768:32767 --engine explicit
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <heddle.h>

int main(void) {
#ifdef LARGE
  int x = __VERIFIER_nondet_int();
  assert(x >= 0 && x < 4);
#elif defined SHORT
  assert(__VERIFIER_nondet_short() < 32768);
#else
  unsigned char c = __VERIFIER_nondet_uchar();
  assert(c < 256 && __VERIFIER_nondet_bool() < 2);
#endif
  return 0;
}
