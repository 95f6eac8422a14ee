// what    arrays of variable length whose size is negative or 0
// why     that is undefined; a negative one made the verdict UNKNOWN, 0 was SAFE
// with    -D SIZE=-1
// expect  sc,armv8,rc11 violated kind array-size at ERROR
// with    -D SIZE=0
// expect  sc,armv8,rc11 violated kind array-size at ERROR
// with    -D SIZE=-1 -O 2
// expect  sc,armv8,rc11 violated kind array-size at ERROR
// because One thread without choices has one execution.
// with    -D SIZE=2
// expect  sc,armv8,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
static int last(int n) {
  int array[n]; // ERROR
  for (int i = 0; i < n; i++) array[i] = i;
  return array[n - 1];
}

int main(void) {
  volatile int size = SIZE;
  return last(size) - 1;
}
