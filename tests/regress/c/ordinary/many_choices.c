// what    a choice among two thousand million values, the first of which is wrong
// why     the options of a choice are numbers, not a list that fills memory before the first is taken
// options -p assertion --engine graph --memory 500M
// expect  sc,rc11,armv8 violated kind assertion at HERE
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <heddle.h>

int main(void) {
  assert(heddle_choose(2000000000) != 3); // HERE
  return 0;
}
