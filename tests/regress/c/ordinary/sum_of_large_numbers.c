// what    the address of an object as a number, to which large numbers are added
// why     the sum stayed at 2⁶³ where it passed that: a checksum that the compiler had put in another order was wrong
// expect  sc,tso,armv8 holds
// with    -O 1
// expect  sc holds
// with    -O 2
// expect  sc holds
// with    -D FIRST=0x10 -D SECOND=0x8000000000000000
// expect  sc holds
// with    -D FIRST=0x8000000000000000 -D SECOND=0x8000000000000001
// expect  sc holds
// with    -D FIRST=0xffffffffffffffff -D SECOND=0x7fffffffffffffff
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdint.h>

#ifndef FIRST
#define FIRST 0x7ff0000000000000
#define SECOND 0x7ff0000000000000
#endif

static char object[8];
static volatile uint64_t first = FIRST, second = SECOND;

int main(void) {
  const uint64_t address = (uintptr_t)object, one = address + first, both = one + second;
  assert(both - address == first + second);
  assert(both - second == one && one - first == address);
  assert(*(char*)(uintptr_t)(both - second - first) == 0);

  uint64_t sum = first - address;
  sum += (uintptr_t)(object + 5);
  sum += second;
  assert(sum == first + 5 + second);

  // No address is as high as that.
  assert(address + 0x8000000000000000 > address && address + 0x9000000000000000 > address + 0x7000000000000000);
  assert((int64_t)(address + 0x8000000000000000) < (int64_t)address);
  return 0;
}
