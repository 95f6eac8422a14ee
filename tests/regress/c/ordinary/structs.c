// what    structures passed, returned and copied with parts that were never set
// why     copying what has no value is no use of it
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
struct in { char tag; double v; short s[3]; };
struct out { struct in a, b; void *next; char pad; };
static struct out build(int k) { struct out o; o.a.tag = 'a'; o.a.v = k; o.b.tag = 'b'; o.next = 0; return o; }
static double get(struct out o) { return o.a.v + (o.a.tag == 'a'); }
struct pair { float x, y; };
static struct pair swap(struct pair p) { return (struct pair){p.y, p.x}; }
struct three { int a, b, c; };
static struct three inc(struct three t) { t.a++; t.b++; t.c++; return t; }
int main(void) {
  struct out o = build(4), p, q;
  p = o;
  memcpy(&q, &p, sizeof q);
  assert(get(q) == 5.0 && q.next == 0);
  struct out *h = malloc(sizeof *h);
  *h = q;
  h->next = h;
  struct out z = *(struct out *)h->next;
  assert(z.b.tag == 'b' && z.next == h);
  free(h);
  struct pair s = swap((struct pair){1, 2});
  assert(s.x == 2 && s.y == 1);
  struct three t = inc((struct three){1, 2, 3});
  assert(t.a + t.b + t.c == 9);
  struct in arr[3] = {{.tag = 1}, {.v = 2}}, brr[3];
  memmove(brr, arr, sizeof arr);
  assert(brr[1].v == 2 && brr[2].s[2] == 0);
  struct out *list = 0;
  for (int i = 0; i < 4; i++) { struct out *n = malloc(sizeof *n); n->a.v = i; n->next = list; list = n; }
  double sum = 0;
  while (list) { struct out *n = list; sum += n->a.v; list = n->next; free(n); }
  assert(sum == 6);
  return 0;
}
