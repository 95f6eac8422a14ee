// what    one thread counts to 1200 before an assertion fails
// why     executions of more events than a matrix of relations has room for were dropped and the program called SAFE
// options -p assertion
// expect  rc11,armv8,power violated kind assertion at HERE
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

static volatile int x;

int main(void) {
  for (int i = 0; i < 1200; i++) x = x + 1;
  assert(x != 1200); // HERE
  return 0;
}
