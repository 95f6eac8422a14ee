// what    qsort and bsearch with several kinds of elements
// why     the library copies elements through buffers of its own
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
#include <stdlib.h>
#include <string.h>
struct rec { char name[12]; int key; double weight; };
static int by_key(const void *a, const void *b) { return ((const struct rec *)a)->key - ((const struct rec *)b)->key; }
static int by_int(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return x < y ? -1 : x > y; }
static int by_ptr(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }
int main(void) {
  int v[40];
  for (int i = 0; i < 40; i++) v[i] = (i * 37) % 41;
  qsort(v, 40, sizeof *v, by_int);
  for (int i = 1; i < 40; i++) assert(v[i - 1] <= v[i]);
  int k = 20, *f = bsearch(&k, v, 40, sizeof *v, by_int);
  assert(f && *f == 20);
  struct rec r[5];
  for (int i = 0; i < 5; i++) { strcpy(r[i].name, "n"); r[i].key = 5 - i; r[i].weight = i; }
  qsort(r, 5, sizeof *r, by_key);
  for (int i = 0; i < 5; i++) assert(r[i].key == i + 1 && r[i].weight == 4 - i);
  const char *names[] = {"zeta", "alpha", "mu"};
  qsort(names, 3, sizeof *names, by_ptr);
  assert(!strcmp(names[0], "alpha") && !strcmp(names[2], "zeta"));
  return 0;
}
