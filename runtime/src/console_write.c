/* fwrite, and through it fputs, and fflush. The console has nothing to flush.
 * SPDX-License-Identifier: Apache-2.0 */
#include "console.h"

size_t __musl_fwrite(const void *restrict, size_t, size_t, FILE *restrict);

size_t fwrite_unlocked(const void *restrict bytes, size_t size, size_t count, FILE *restrict f) {
  int number = console_number(f);
  if (!number) return __musl_fwrite(bytes, size, count, f);
  if (size && count) __heddle_output(number, bytes, size * count);
  return size ? count : 0;
}

size_t fwrite(const void *restrict bytes, size_t size, size_t count, FILE *restrict f) {
  if (!console_number(f)) return __musl_fwrite(bytes, size, count, f);
  int locked = CONSOLE_LOCK(f);
  size_t result = fwrite_unlocked(bytes, size, count, f);
  console_unlock(f, locked);
  return result;
}
