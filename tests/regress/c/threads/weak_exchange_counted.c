// what    a loop around a weak compare-exchange that counts its rounds
// why     each number of failures is another execution, so there is no end to them: a bound must be named, and no limit passed over
// with    --loop-bound 3
// expect  rc11,armv8 holds up-to loop 3
// expect  sc,tso holds
// with    --max-states 60
// expect  rc11,armv8 unknown reason limit of 60 executions reached
// with    --spurious-cas=off
// assumes a weak compare-exchange never fails spuriously (--spurious-cas lets it)
// expect  sc,tso,rc11,armv8 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
  int failures = 0, expected = 0;
  while (!atomic_compare_exchange_weak(&x, &expected, 1)) {
    failures++;
    expected = 0;
  }
  assert(x == 1);
  return failures < 0;
}
