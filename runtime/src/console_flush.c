/* fflush. The console has nothing to flush; for all files at once only those that were opened count.
 * SPDX-License-Identifier: Apache-2.0 */
#include "console.h"

int __musl_fflush(FILE *);
WEAK int __heddle_flush_files(void);

int fflush(FILE *f) {
  if (!f) return __heddle_flush_files ? __heddle_flush_files() : 0;
  if (!console_number(f)) return __musl_fflush(f);
  console_unlock(f, CONSOLE_LOCK(f));
  return 0;
}
int fflush_unlocked(FILE *f) { return f && console_number(f) ? 0 : fflush(f); }
