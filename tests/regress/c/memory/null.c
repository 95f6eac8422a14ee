// what    a write through a null pointer
// why     found at the access
// expect  sc,tso,pso violated kind null-dereference at ERROR
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
  int *volatile p = 0;
#endif
  *p = 1; // ERROR
  return 0;
}
