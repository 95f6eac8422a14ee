// what    with X every request of a thread and every store that arrives is a step
// why     requests that no other thread can notice are part of the step before them otherwise
// options --ltl 'G (at -> X (!at && X x == 1))'
// expect  sc holds
// expect  tso violated kind ltl
// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>

static volatile int x;

int main(void) {
  heddle_point("at");
  x = 1;
}
