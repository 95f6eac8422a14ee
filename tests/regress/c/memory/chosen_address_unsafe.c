// what    assertions that fail because of the address chosen for an object, or whatever it is
// why     an UNSAFE verdict did not say that it depends on the checker's choice
// assumes objects have the addresses that the checker chose (they are used as numbers)
// with    -D CLAIM="number & 4095"
// expect  sc,tso,armv8 violated kind assertion
// with    -D CLAIM="(uint32_t)number != 0" --engine explicit
// expect  sc,tso violated kind assertion
// assumes nothing
// with    -D CLAIM="number == 0"
// expect  sc,tso,armv8 violated kind assertion
// with    -D CLAIM="p == 0"
// expect  sc,tso,armv8 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

int main(void) {
  void *p = malloc(24);
  uintptr_t number = (uintptr_t)p;
  int claim = (CLAIM) != 0;
  free(p);
  assert(claim);
}
