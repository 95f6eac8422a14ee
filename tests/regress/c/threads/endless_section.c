// what    an atomic section that waits for what nobody can do meanwhile
// why     it is one step that never ends: the checker must say so instead of hanging
// options -I ../../../../include --engine explicit
// expect  sc,tso unknown reason an atomic section does not end within a million accesses at
// SPDX-License-Identifier: Apache-2.0
#include "heddle.h"

volatile int x;

int main(void) {
  heddle_atomic_begin();
  while (!x) {
  }
  heddle_atomic_end();
}
