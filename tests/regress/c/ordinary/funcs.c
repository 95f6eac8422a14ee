// what    function pointers, recursion, calloc, realloc, free of null, functions that run at the end
// why     calls whose target is known only when they happen
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
typedef int (*op)(int, int);
static int add(int a, int b) { return a + b; } static int sub(int a, int b) { return a - b; }
static op table[] = {add, sub};
struct obj { const struct vt *vt; int v; }; struct vt { int (*get)(struct obj *); void (*del)(struct obj *); };
static int get(struct obj *o) { return o->v; } static void del(struct obj *o) { free(o); }
static const struct vt vt = {get, del};
static int ack(int m, int n) { return m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static void hanoi(int n, int a, int b, int c, int *moves) { if (n) { hanoi(n - 1, a, c, b, moves); ++*moves; hanoi(n - 1, c, b, a, moves); } }
static int at_exit_ran; static void bye(void) { at_exit_ran = 1; }
__attribute__((destructor)) static void after(void) { assert(at_exit_ran == 1); at_exit_ran = 2; }
__attribute__((destructor(101))) static void last(void) { assert(at_exit_ran == 2); }
int main(void) {
  int s = 0; for (int i = 0; i < 2; i++) s = table[i](s, 3 + i);
  assert(s == -1);
  struct obj *o = malloc(sizeof *o); o->vt = &vt; o->v = 9; assert(o->vt->get(o) == 9); o->vt->del(o);
  assert(ack(2, 3) == 9); int m = 0; hanoi(6, 0, 1, 2, &m); assert(m == 63);
  atexit(bye);
  op *v = calloc(3, sizeof *v); assert(!v[1]); v[1] = add; v = realloc(v, 6 * sizeof *v); assert(v[1](1, 2) == 3 && !v[2]); free(v);
  free(0);
  return 0;
}
