// what    a write to a string literal
// why     constants stay constant
// expect  sc,tso,pso violated kind read-only at ERROR
// because One thread without choices has one execution.
// with    -D MENDED
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
static char text[] = "abc";

int main(void) {
#ifdef MENDED
  char *volatile p = text;
#else
  char *volatile p = (char *)"abc";
#endif
  p[0] = 'x'; // ERROR
  return 0;
}
