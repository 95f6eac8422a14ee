// what    a branch on a local variable that was never set
// why     found where it decides something
// expect  sc,tso,pso violated kind uninitialised at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
int main(void) {
  int flag;
#ifdef MENDED
  flag = 0;
#endif
  int *volatile where = &flag;
  if (*where) // ERROR
    return 1;
  return 0;
}
