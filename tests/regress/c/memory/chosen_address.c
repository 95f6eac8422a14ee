// what    numbers that depend on the address chosen for an object, though they leave its name out
// why     whoever masks, truncates, shifts or compares an address sees the checker's choice, unless the object's alignment
//         settles the bits that are looked at
// assumes objects have the addresses that the checker chose (they are used as numbers; leaks are not looked for after that)
// with    -D CLAIM="(number & 4095) == 0"
// expect  sc holds
// with    -D CLAIM="number % 4096 == 0" -O 2
// expect  sc holds
// with    -D CLAIM="(uint32_t)number == 0"
// expect  sc holds
// with    -D CLAIM="number << 40 == 0"
// expect  sc holds
// with    -D CLAIM="number > 0x100000005"
// expect  sc holds
// with    -D CLAIM="number != 0x12340"
// expect  sc holds
// with    -D CLAIM="(double)number > 5000"
// expect  sc holds
// with    -D CLAIM="((uintptr_t)&byte & 1) == 0"
// expect  sc holds
// with    -D CLAIM="((uintptr_t)&local & 1) == 0"
// expect  sc holds
// with    -D CLAIM="(uint32_t)(uintptr_t)&byte == 0"
// expect  sc holds
// with    -D CLAIM="(atomic_fetch_and(&cell,4095),atomic_load(&cell)==0)"
// expect  sc holds
// with    -D CLAIM="((uintptr_t)look & 15) == 0"
// expect  sc holds
// with    -D CLAIM="HALF_OF(&held) == 0"
// expect  sc holds
// with    -D CLAIM="HALF_OF(constants) == 0"
// expect  sc holds
// assumes nothing
// with    -D CLAIM="held == &byte && constants[0] == held"
// expect  sc holds
// assumes objects have the addresses that the checker chose (they are used as numbers; leaks are not looked for after that); freed memory is not allocated again at the same address
// with    -D CLAIM="(number & ~(uintptr_t)63) == number"
// expect  sc holds
// with    -D CLAIM="(number | 64) == number + 64"
// expect  sc holds
// assumes freed memory is not allocated again at the same address
// with    -O 2
// expect  sc holds
// with    --property leak
// expect  sc holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>

char byte;
char *held = &byte;
char *const constants[1] = {&byte};
#define HALF_OF(pointer) (*(volatile uint32_t *)(pointer))
_Alignas(4096) char page[4096];
_Atomic(uintptr_t) cell;

static void look(char *at) { *at = 1; }

int main(void) {
  char local;
  look(&local);
  void *p = malloc(24);
  uintptr_t number = (uintptr_t)p;
  cell = number;
#ifdef CLAIM
  assert(CLAIM);
#else
  assert((number & 15) == 0 && ((int)number & 1) == 0 && number % 8 == 0 && number << 60 == 0);
  assert(((number | 1) & ~(uintptr_t)1) == number && number + 8 - number == 8);
  assert(number > 1000 && (intptr_t)number > 0 && number < (uintptr_t)-4095 && number != 0xdeadbeef);
  assert(((uintptr_t)&page & 4095) == 0);
  atomic_fetch_or(&cell, 1);
  assert(cell == number + 1);
#endif
  free(p);
}
