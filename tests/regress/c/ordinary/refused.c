// what    calls that only other systems or a loader can explain: through an ifunc, and with Windows' lists of arguments
// why     they are refused where they are reached, and nowhere else
// with    -D IFUNC
// expect  sc,tso unknown reason the constant ptr @chosen is not supported at
// with    -D WINDOWS
// expect  sc,tso unknown reason arguments behind the dots by Windows' convention are not supported at
// with    -D NEITHER
// expect  sc,tso holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

static int seven(void) { return 7; }
static void *resolve(void) { return (void *)seven; }
int chosen(void) __attribute__((ifunc("resolve")));

__attribute__((ms_abi)) static int first(int count, ...) {
  __builtin_ms_va_list rest;
  __builtin_ms_va_start(rest, count);
  int result = __builtin_va_arg(rest, int);
  __builtin_ms_va_end(rest);
  return result;
}
__attribute__((ms_abi)) static int fixed(int a, double b) { return a + (int)b; }

int main(void) {
#ifdef IFUNC
  assert(chosen() == 7);
#endif
#ifdef WINDOWS
  assert(first(1, 7) == 7);
#endif
  assert(fixed(3, 4.5) == seven());
}
