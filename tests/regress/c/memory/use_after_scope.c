// what    a local variable used after the end of its block: kept in the thread, shared with others, of variable length
// why     its place may belong to another variable by then
// with    -D CASE=1
// expect  sc,tso,armv8,power,rc11,nsw,lmo violated kind use-after-scope at ERROR1
// with    -D CASE=2
// expect  sc,tso,armv8,rc11 violated kind use-after-free
// with    -D CASE=3
// expect  sc,tso,armv8,riscv,power,rmo,rc11,nsw,lmo violated kind use-after-free
// because One thread without choices has one execution.
// with    -D CASE=4
// expect  sc,tso,armv8,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <pthread.h>

static int *shared;

static int sum(int rounds) {
  int total = 0, *last = &total;
  for (int i = 0; i < rounds; i++) {
    int part = i, *p = &part;
    last = p;
    total += *last;
    {
      int inner[2] = {1, 2}, *q = inner;
      total += q[i & 1];
    }
  }
  last = &total;
  return *last;
}

int main(void) {
  int *p;
  int n = 3;
#if CASE == 1
  {
    int x = 3;
    p = &x;
  }
  return *p - 3; // ERROR1
#elif CASE == 2
  {
    int x = 3;
    shared = &x;
  }
  *shared = 4;
#elif CASE == 3
  {
    int a[n];
    a[0] = 1;
    p = a;
  }
  *p = 2;
#else
  for (int i = 0; i < 2; i++) {
    int x = i;
    shared = &x;
    assert(*shared == i);
  }
  assert(sum(3) == 7);
  switch (n) {
    int jumped_over;
    case 3: jumped_over = n; p = &jumped_over; assert(*p == 3); break;
  }
#endif
  return 0;
}
