// what    a division by zero
// why     found where it happens
// expect  sc,tso,pso violated kind division-by-zero at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
int main(void) {
#ifdef MENDED
  volatile int zero = 1;
#else
  volatile int zero = 0;
#endif
  return 10 / zero - 10; // ERROR
}
