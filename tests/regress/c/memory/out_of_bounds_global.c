// what    a read before the start of a global array
// why     bounds hold on both sides, for globals too
// expect  sc,tso,pso violated kind out-of-bounds at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
static int before = 1, table[4] = {1, 2, 3, 4};

int main(void) {
#ifdef MENDED
  volatile int i = 0;
#else
  volatile int i = -1;
#endif
  return table[i] - before; // ERROR
}
