/* Functions that end the checked program with an error.
 * SPDX-License-Identifier: Apache-2.0 */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include "internal.h"

_Noreturn void abort(void) { __heddle_fail("abort", "abort() was called"); }

int raise(int signal) {
  if (signal == SIGABRT) abort();
  __heddle_fail("signal", "a signal was raised");
}

_Noreturn void __assert_fail(const char *condition, const char *file, int line, const char *function) {
  (void)file, (void)line, (void)function; /* the machine knows the place better */
  __heddle_fail("assertion", condition);
}
