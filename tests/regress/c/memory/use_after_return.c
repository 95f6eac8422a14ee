// what    a write through a pointer to a local variable of a function that has returned
// why     frames that are left are no memory
// expect  sc,tso,pso violated at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
static int *leak(void) {
  int local = 1, *p = &local;
  return p;
}
static int kept;

int main(void) {
#ifdef MENDED
  int *p = &kept;
#else
  int *p = leak();
#endif
  *p = 2; // ERROR
  return 0;
}
