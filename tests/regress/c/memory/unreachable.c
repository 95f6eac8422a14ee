// what    a place that the program promised never to reach
// why     what is undefined is reported, not skipped
// expect  sc,tso,pso violated kind unreachable at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
static volatile int two = 2;

int main(void) {
#ifdef MENDED
  two = 1;
#endif
  if (two == 1) return 0;
  __builtin_unreachable(); // ERROR
}
