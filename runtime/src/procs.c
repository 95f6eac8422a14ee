/* Where a checked program without main() starts: LLMC's second form (section 3.3.2.2 of its thesis). llmc_init() runs
 * first, then all functions llmc_proc* together, then llmc_fini(). The front end makes __heddle_procs, the null-ended
 * list of them. They start in one step: no thread sees that another is not there yet.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "internal.h"

extern int (*const __heddle_procs[])(void);
WEAK void __heddle_ctors(void);
WEAK int llmc_init(void);
WEAK int llmc_fini(void);

static void *run(void *which) {
  (*(int (*const *)(void))which)();
  return 0;
}

_Noreturn void __heddle_main_procs(void) {
  unsigned count = 0;
  while (__heddle_procs[count]) count++;
  unsigned numbers[count + 1];
  if (__heddle_ctors) __heddle_ctors();
  if (llmc_init) llmc_init();
  __heddle_atomic_begin();
  for (unsigned i = 0; i < count; i++) numbers[i] = __heddle_spawn(run, (void *)&__heddle_procs[i]);
  __heddle_atomic_end();
  for (unsigned i = 0; i < count; i++) __heddle_join(numbers[i]);
  if (llmc_fini) llmc_fini();
  exit(0);
}
