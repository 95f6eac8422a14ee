// what    a call through a pointer that is no function
// why     found at the call
// expect  sc,tso,pso violated kind bad-call at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
static int zero(void) { return 0; }
static int data;

int main(void) {
#ifdef MENDED
  int (*volatile f)(void) = zero;
  (void)data;
#else
  int (*volatile f)(void) = (int (*)(void))(void *)&data;
#endif
  return f(); // ERROR
}
