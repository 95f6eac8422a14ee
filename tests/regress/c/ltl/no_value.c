// what    a condition that has no value in a reachable state is reported as that
// why     an index out of range is neither true nor false
// options --ltl 'G F a[i] == 0'
// expect  sc,tso violated kind no-value
// SPDX-License-Identifier: Apache-2.0
static int a[2];
static volatile int i;

int main(void) {
  i = 1;
  i = 2;
  return a[0];
}
