// what    setjmp, longjmp, computed goto
// why     frames are left without a return
// with    -O0
// expect  sc,tso holds
// with    -O1
// expect  sc,tso holds
// with    -O2
// expect  sc,tso holds
// with    -O3
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf env;
static volatile int count;
static void deep(int n) { char pad[16]; pad[0] = (char)n; if (n == 0) longjmp(env, 7 + pad[0]); deep(n - 1); }
int main(void) {
  volatile int seen = 0;
  int r = setjmp(env);
  if (r == 0) { seen = 1; deep(5); assert(0); }
  assert(r == 7 && seen == 1);
  for (int i = 0; i < 3; i++) { jmp_buf e; if (!setjmp(e)) { count++; longjmp(e, 1); } }
  assert(count == 3);
  static void *labels[] = {&&one, &&two, &&end};
  int k = 0;
  goto *labels[k];
one: k++; goto *labels[k];
two: k++; goto *labels[k];
end: assert(k == 2);
  return 0;
}
