// what    a program that ends keeps the values of its variables for ever
// why     the memory of a program that has ended was no part of its state
// options --buffer 12 --ltl 'F G (sum == -3 && table[1].at == 7 && f.calls > 1)'
// expect  sc,tso,pso,lmo,nsw holds
// with    --ltl 'G (sum == 0 || sum == -3)'
// expect  sc,tso,pso,lmo,nsw violated kind ltl
// with    --ltl 'F (stage == 1 && F stage == 2)'
// expect  sc,tso,pso,lmo,nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <heddle.h>

static signed char sum;
static struct {
  long name;
  unsigned short at;
} table[2];
enum stage { none, first, second } stage;

static void f(int by) {
  static int calls;
  ++calls;
  sum -= by;
}

int main(void) {
  stage = first;
  f(1);
  stage = second;
  f(2);
  table[1].at = 7;
  heddle_point("done");
}
