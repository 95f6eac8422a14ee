// what    a loop too long for one engine, and behind it what the other does not support
// why     both gave up in one turn, and the portfolio went on for ever with nobody in it
// because Neither engine can say more.
// expect  sc unknown reason an object of more than 64 MiB
// SPDX-License-Identifier: Apache-2.0
#include <stdlib.h>

static unsigned sums[8];

int main(void) {
  for (unsigned i = 0; i < 100000; ++i) sums[i & 7] += sums[i * 5 & 7] + i;
  char *volatile block = malloc((size_t)100 << 20);
  free(block);
}
