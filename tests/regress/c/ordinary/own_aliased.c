// what    a program's own function in place of one for which the library has another name, which the program uses, too
// why     the other name was left without a function: UNKNOWN, by the name of a function that no program has
// expect  sc     holds
// expect  armv8  holds
// expect  rc11   holds
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <assert.h>
#include <math.h>
#include <stdio.h>

double remainder(double a, double b) { return a + b; }

int feof(FILE *stream) { return stream == stderr; }

int main(void) {
  volatile double a = 5, b = 3;
  assert(remainder(a, b) == 8);
  assert(drem(a, b) == -1);
  assert(feof(stderr) && !feof_unlocked(stderr));
}
