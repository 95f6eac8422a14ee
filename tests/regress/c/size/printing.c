// what    four lines are printed before the program fails
// why     what happens before the first thread exists must not hide a violation under the models with load buffering
// options -p assertion
// expect  rc11,armv8 violated kind assertion at HERE
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdio.h>

int main(void) {
  for (int i = 0; i < 4; i++) printf("worker %d started, queue length %d\n", i, 2 * i);
  assert(!"reached"); // HERE
}
