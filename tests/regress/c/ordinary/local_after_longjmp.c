// what    a local that changed between setjmp and longjmp has the new value in memory, as clang -O0 has it
// why     promoted to a register it had the value of another path
// because One thread without choices has one execution.
// with    -D SEEN=2
// expect  sc,armv8,riscv,power,rmo holds executions 1
// expect  nsw,lmo holds
// with    -D SEEN=1
// expect  sc,armv8,riscv,power,rmo,nsw,lmo violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;

int main(void) {
  int x = 1;
  if (setjmp(back) == 0) {
    x = 2;
    longjmp(back, 1);
  }
  assert(x == SEEN);
}
