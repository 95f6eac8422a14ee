/* fflush. The console has nothing to flush; for all files at once only those that were opened count.
 * SPDX-License-Identifier: Apache-2.0 */
#include "console.h"

int __musl_fflush(FILE *);
WEAK int __heddle_flush_files(void);

int fflush(FILE *f) {
  if (!f) return __heddle_flush_files ? __heddle_flush_files() : 0;
  return console_number(f) ? 0 : __musl_fflush(f);
}
int fflush_unlocked(FILE *f) { return fflush(f); }
