// what    a program that prints for ever
// why     its steps are long, and a limit of time must hold nevertheless; there is nothing else to find
// options --engine explicit
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <stdio.h>

int main(void) {
  for (;;) printf("x");
}
