// what    a pointer to the local of a loop's body is followed in a later round, when that local lives again
// why     it was SAFE: the local of every round had the same name
// because The pointer leads to the local of the first round, whose block has been left.
// with    -D CASE=1
// expect  sc,tso,armv8,riscv,power,rmo,rc11,nsw,lmo violated kind use-after-free
// with    -D CASE=2
// expect  sc,tso,armv8,rc11 violated kind use-after-free
// because One thread without choices has one execution.
// with    -D CASE=3
// expect  sc,tso,armv8,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

int main(void) {
  int *kept = 0, sum = 0;
  struct {
    int *pointer;
  } held = {0};
  for (int i = 0; i < 2; ++i) {
    int part = i + 1, two[2] = {i, i};
#if CASE == 1
    if (i == 0) kept = &part;
    sum += *kept;
#elif CASE == 2
    if (i == 0) held.pointer = &two[1];
    sum += *held.pointer;
#else
    kept = &part;
    held.pointer = &two[1];
    sum += *kept + *held.pointer;
#endif
  }
  assert(CASE != 3 || sum == 4);
}
