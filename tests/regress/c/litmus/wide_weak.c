// what    weak compare-exchanges of sixteen and of twenty-four bytes
// why     they are atomic sections, which never fail without a cause: SAFE must not hide that
// with    -D TYPE=__int128
// assumes a weak compare-exchange on more than eight bytes never fails spuriously
// expect  sc,tso,rc11,armv8 holds
// with    -D 'TYPE=struct three'
// assumes a weak compare-exchange on more than eight bytes never fails spuriously
// expect  sc,tso,rc11,armv8 holds
// with    -D TYPE=__int128 -D STRONG
// assumes nothing
// expect  sc,tso,rc11,armv8 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdatomic.h>

struct three {
  long a, b, c;
};
static _Atomic(TYPE) x;

int main(void) {
  TYPE expected = {0}, desired = {0};
#ifdef STRONG
  assert(atomic_compare_exchange_strong(&x, &expected, desired));
#else
  assert(atomic_compare_exchange_weak(&x, &expected, desired));
#endif
  return 0;
}
