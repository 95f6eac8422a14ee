// what    an element of an array at null: before it, a little behind it, and gigabytes behind it
// why     a null pointer with an offset is still a null pointer
// expect  sc,tso,rc11 violated kind null-dereference at ERROR
// with    -D INDEX=3
// expect  sc,tso,rc11 violated kind null-dereference at ERROR
// with    -D INDEX=0x80000000u
// expect  sc,tso,rc11 violated kind null-dereference at ERROR
// with    -D INDEX=0x40000000u
// expect  sc,tso,rc11 violated kind null-dereference at ERROR
// SPDX-License-Identifier: Apache-2.0
#ifndef INDEX
#define INDEX -3
#endif
int x = 1, y = 2;
int *volatile null;

int main(void) {
  int *p = null;
  volatile long i = INDEX;
  return p[i];  // ERROR
}
