// what    conditions that the compiler is told to assume, and that do not hold
// why     that is undefined; they were passed over
// with    -D CONDITION="x==2"
// expect  sc,armv8,rc11,lmo violated kind false-assumption at ERROR
// with    -D CONDITION="x==2" -O 2
// expect  sc,armv8,rc11 violated kind false-assumption at ERROR
// because One thread without choices has one execution.
// with    -D CONDITION="x==1"
// expect  sc,armv8,rc11 holds executions 1
// expect  lmo holds
// with    -D CONDITION="x==1" -O 2
// expect  sc,armv8,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
int main(void) {
  volatile int y = 1;
  int x = y;
  __builtin_assume(CONDITION); // ERROR
  return x - 1;
}
