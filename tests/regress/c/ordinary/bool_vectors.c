// what    global vectors of truth values: their elements lie side by side, one bit each
// why     each element was given a byte of its own, also behind the end of the variable
// with    -D CASE=1
// expect  sc,tso,armv8,rc11 holds
// with    -D CASE=2
// expect  sc,armv8 violated kind assertion
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

typedef _Bool Eight __attribute__((ext_vector_type(8)));
typedef _Bool Many __attribute__((ext_vector_type(128)));

Eight pattern = {1, 0, 1, 0, 0, 0, 0, 1};
const Eight same = {1, 0, 1, 0, 0, 0, 0, 1};
Many rows[2] = {{0, 1}, {1, 0, 1}};

int main(void) {
#if CASE == 1
  assert(pattern[0] && !pattern[1] && pattern[2] && pattern[7] && same[7]);
  assert(*(unsigned char *)&pattern == 0x85);
  assert(!rows[0][0] && rows[0][1] && rows[1][0] && !rows[1][1] && rows[1][2] && !rows[1][127]);
#else
  assert(!pattern[2]);
#endif
}
