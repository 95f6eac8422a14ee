// what    random bytes of the system
// why     programs seed their own generators with them
// assumes every random device gives the same numbers
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <sys/random.h>
#include <unistd.h>

int main(void) {
  unsigned char bytes[16] = {0};
  assert(getrandom(bytes, sizeof bytes, 0) == sizeof bytes);
  unsigned long one = 0, two = 0;
  assert(getentropy(&one, sizeof one) == 0 && getentropy(&two, sizeof two) == 0);
  assert(one != two);
  assert(getentropy(&one, 257) == -1);
  return 0;
}
