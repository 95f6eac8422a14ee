// what    longjmp out of the block of a variable-length array, within the function of setjmp
// why     the array ends with its block, whichever way the block is left
// expect  sc,tso,pso,lmo,rc11,armv8 violated kind use-after-free
// with    -D MENDED
// expect  sc,tso,pso,lmo,rc11,armv8 holds
// with    -D TWICE
// expect  sc,tso,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <setjmp.h>

static jmp_buf buffer;

static int first_of(int n) {
  int *volatile kept = 0;
  int outer[n + 1];
  outer[0] = 7;
  if (setjmp(buffer) == 0) {
    int inner[n];
    inner[0] = 1;
    kept = inner;
    longjmp(buffer, 1);
  }
#ifdef MENDED
  kept = outer;
#endif
  return *kept + outer[0];
}

// The same place is jumped to again and again; the array outside stays.
static int sum_of(int n) {
  volatile int sum = 0;
  int outer[n];
  for (int i = 0; i < n; ++i) outer[i] = i;
  const int round = setjmp(buffer);
  if (round < n) {
    int inner[round + 1];
    inner[round] = outer[round];
    sum = sum + inner[round];
    longjmp(buffer, round + 1);
  }
  return sum;
}

int main(void) {
#ifdef TWICE
  assert(sum_of(4) == 6);
#else
  assert(first_of(3) > 0);
#endif
}
