/* Where a checked program with a main() starts. The machine starts its first thread here.
 * The front end makes __heddle_ctors and __heddle_dtors, functions that call what llvm.global_ctors and
 * llvm.global_dtors list, in order of priority; a program without such lists has neither.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "internal.h"

int main(int, char **, char **);
WEAK void __heddle_ctors(void);
WEAK extern char **__environ; /* linked only where something reads it */

static char name[] = "program";
static char *arguments[] = {name, 0};
static char *environment[] = {0};

_Noreturn void __heddle_main(int argc, char **argv) {
  if (!argv) argc = 1, argv = arguments;
  if (&__environ) __environ = environment;
  if (__heddle_ctors) __heddle_ctors();
  exit(main(argc, argv, environment));
}
