// what    a loop that fills a table is longer than the bound
// why     SAFE up to a bound within which nothing ends is said to be just that
// options --loop-bound 3
// expect  rc11,armv8 holds executions 0 up-to loop 3
// SPDX-License-Identifier: Apache-2.0
static volatile int table[10];

int main(void) {
  for (int i = 0; i < 10; i++) table[i] = i;
  return 0;
}
