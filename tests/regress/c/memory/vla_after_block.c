// what    a write to an array of variable size after its block has ended
// why     the object's life ends with the block, under every model
// expect  sc,tso,pso,lmo,nsw,rmo,armv8,riscv,power,rc11 violated kind use-after-free at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,armv8,rc11 holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
int main(void) {
  int *p = 0, last = 0;
  for (int n = 3; n < 5; n++) {
    int a[n];
    a[0] = n;
    p = a;
    last = *p;
  }
#ifdef MENDED
  p = &last;
#endif
  *p = 7;  // ERROR
  return 0;
}
