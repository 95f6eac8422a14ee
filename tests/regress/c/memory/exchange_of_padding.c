// what    a compare-exchange of a structure with padding, whose members differ from what is expected
// why     bits that are defined tell already that it fails; it was an error that others are not
// expect  sc,tso,armv8,rc11 holds
// with    -D EQUAL
// expect  sc,tso,armv8,rc11 violated kind uninitialised
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>

struct pair {
  int16_t small;
  int32_t large;
};

static _Atomic struct pair cell;

int main(void) {
  struct pair first, expected;
  first.small = expected.small = 1;
  first.large = 2;
#ifdef EQUAL
  expected.large = 2;
#else
  expected.large = 3;
#endif
  atomic_store(&cell, first);
  assert(!atomic_compare_exchange_strong(&cell, &expected, first));
  assert(expected.large == 2);
}
