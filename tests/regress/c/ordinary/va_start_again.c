// what     va_start at one place twice in a call, and a copy of the first list used after the call
// why      the arguments of the first list outlived the call, so that nothing was wrong with reading them
// expect   sc,rc11  violated kind use-after-free
// SPDX-License-Identifier: Apache-2.0
#include <stdarg.h>

static va_list kept;

static void use(va_list *list) { (void)va_arg(*list, int); }

static void f(int rounds, ...) {
  va_list list;
  for (int i = 0; i < rounds; i++) {
    va_start(list, rounds);
    if (i == 0) va_copy(kept, list);
    use(&list);
    va_end(list);
  }
}

int main(void) {
  f(2, 5);
  return va_arg(kept, int) == 5 ? 0 : 1;
}
