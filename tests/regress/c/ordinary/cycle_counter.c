// what    a program that reads the processor's cycle counter
// why     it stands still here: SAFE must not hide that
// assumes the clock stands still
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

int main(void) {
  assert(__builtin_readcyclecounter() == __builtin_readcyclecounter());
  return 0;
}
