// what    a function that gets a va_list takes one argument more than there are
// why     the object that holds the arguments had spare bytes behind them
// with    -D TAKEN=2
// expect  sc,tso,armv8,rc11 holds
// with    -D TAKEN=3
// expect  sc,tso,armv8,rc11 violated kind out-of-bounds at ERROR
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdarg.h>

static int sum(va_list list) {
  int all = 0;
  for (int i = 0; i < TAKEN; i++) all += va_arg(list, int); // ERROR
  return all;
}

static int add(int first, ...) {
  va_list list;
  va_start(list, first);
  int all = sum(list);
  va_end(list);
  return all;
}

int main(void) { assert(add(0, 1, 2) == 3); }
