// what    variable arguments, lists that are copied and handed on, printf of doubles
// why     a list that is handed on may be copied by its new owner
// because One thread without choices has one execution.
// with    -O0
// expect  sc,tso holds executions 1
// with    -O1
// expect  sc,tso holds executions 1
// with    -O2
// expect  sc,tso holds executions 1
// with    -O3
// expect  sc,tso holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
struct big { long a, b, c; };
static double total(int n, ...) { va_list l; va_start(l, n); double s = 0; for (int i = 0; i < n; i++) s += i % 2 ? va_arg(l, double) : va_arg(l, int); va_end(l); return s; }
static long bigs(int n, ...) { va_list l, m; va_start(l, n); va_copy(m, l); long s = 0; for (int i = 0; i < n; i++) s += va_arg(l, struct big).c; struct big f = va_arg(m, struct big); va_end(l); va_end(m); return s * 10 + f.a; }
static int fmt(char *out, size_t n, const char *f, ...) { va_list l; va_start(l, f); int r = vsnprintf(out, n, f, l); va_end(l); return r; }
struct two { float x, y; };
struct three { float x, y, z; };
struct aligned { _Alignas(32) long v; };
static double floats(int n, ...) {
  va_list l;
  va_start(l, n);
  struct two a = va_arg(l, struct two);
  struct three b = va_arg(l, struct three);
  int i = va_arg(l, int);
  struct aligned c = va_arg(l, struct aligned);
  va_end(l);
  return a.x + 10 * a.y + 100 * b.x + 1000 * b.y + 10000 * b.z + 100000 * i + 1000000.0 * (double)c.v;
}
int main(void) {
  assert(floats(4, (struct two){1, 2}, (struct three){3, 4, 5}, 6, (struct aligned){7}) == 7654321);
  assert(total(4, 1, 2.5, 3, 4.5) == 11.0);
  struct big x = {1, 2, 3}, y = {4, 5, 6};
  assert(bigs(2, x, y) == 91);
  char b[40];
  assert(fmt(b, sizeof b, "%s-%d-%.1f-%p", "k", 3, 0.5, (void *)0) > 0);
  assert(!strncmp(b, "k-3-0.5", 7));
  printf("%d %s %.3f %e %g %ld %zu %%\n", 1, "two", 3.0, 4e10, 0.0001, 5L, sizeof b);
  return 0;
}
