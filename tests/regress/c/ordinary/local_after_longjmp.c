// what    a local that changed between setjmp and longjmp: it has no value any more, unless it is volatile
// why     that it has the value stored last, or the one at setjmp, is the compiler's choice (C11, 7.13.2.1p3); the verdict
//         was SAFE for the value that clang -O0 leaves. Promoted to a register it had the value of another path
// with    -D CLAIM="x==2"
// expect  sc,armv8,riscv,power,rmo,nsw,lmo violated kind uninitialised at ERROR
// with    -D CLAIM="x==1"
// expect  sc,armv8,riscv,power,rmo,nsw,lmo violated kind uninitialised at ERROR
// with    -D CLAIM="number==2"
// expect  sc,armv8,rc11 violated kind uninitialised at ERROR
// with    -D CLAIM="pointer!=0"
// expect  sc,armv8,rc11 violated kind uninitialised at ERROR
// with    -D CLAIM="late==5"
// expect  sc,armv8,rc11 violated kind uninitialised at ERROR
// with    -D CLAIM="kept==2"
// expect  sc,armv8,riscv,power,rmo,nsw,lmo violated kind assertion at ERROR
// because One thread without choices has one execution.
// with    -D CLAIM="kept==7&&result==1&&lasting==2"
// expect  sc,armv8,riscv,power,rmo holds executions 1
// expect  nsw,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <setjmp.h>

static jmp_buf back;
static int one;

static void leave(void) { longjmp(back, 1); }

int main(void) {
  int x = 1, kept = 7, late;
  double number = 1;
  int *pointer = 0;
  volatile int lasting = 1;
  int result;
  if ((result = setjmp(back)) == 0) {
    int inner = 3;
    x = 2, number = 2, pointer = &one, late = 5, lasting = 2;
    inner++;
    leave();
  }
  for (int i = 0; i < 2; i++) {
    jmp_buf here;
    int counted = i;
    if (setjmp(here) == 0) {
      counted++;
      longjmp(here, 1);
    }
    counted = 3;
    assert(counted == 3);
  }
  assert(CLAIM); // ERROR
}
