// what    runs in which an assumption fails are no runs, and neither do they end there
// why     a thread that stops at a failed assumption looked like a run that ends with x == 2
// options --ltl 'F G x != 2'
// expect  sc,tso,pso,lmo,nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>

static volatile int x;

int main(void) {
  x = (int)heddle_choose(3);
  heddle_assume(x != 2);
}
