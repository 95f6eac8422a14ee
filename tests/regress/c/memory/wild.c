// what    a read through a number that is no address
// why     integers do not become pointers by a cast
// expect  sc,tso,pso violated kind wild-pointer at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
static int cell;

int main(void) {
#ifdef MENDED
  int *volatile p = &cell;
#else
  int *volatile p = (int *)0x1234568;
#endif
  return *p; // ERROR
}
