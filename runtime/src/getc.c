/* Single characters in, without musl's spinning locks.
 * SPDX-License-Identifier: Apache-2.0 */
#include "stdio_impl.h"

static int get(FILE *f) {
  FLOCK(f);
  int c = getc_unlocked(f);
  FUNLOCK(f);
  return c;
}

int getc(FILE *f) { return get(f); }
int fgetc(FILE *f) { return get(f); }
int _IO_getc(FILE *f) { return get(f); }
int getchar(void) { return get(stdin); }
