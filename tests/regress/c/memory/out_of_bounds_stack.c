// what    a string that does not fit into a local array
// why     library functions are checked like the program
// expect  sc,tso,pso violated kind out-of-bounds at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <string.h>

static void put(char *to, char c) {
  *to = c; // ERROR
}

int main(void) {
#ifdef MENDED
  char text[5];
#else
  char text[4];
#endif
  for (int i = 0; i < 5; i++) put(&text[i], "abcd"[i]);
  return (int)strlen(text) - 4;
}
