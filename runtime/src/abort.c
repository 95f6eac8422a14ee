/* Functions that end the checked program with an error.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include "internal.h"

WEAK void __heddle_before_abort(void);

_Noreturn void abort(void) {
  if (__heddle_before_abort) __heddle_before_abort();
  __heddle_fail("abort", "abort() was called");
}

_Noreturn void __assert_fail(const char *condition, const char *file, int line, const char *function) {
  (void)file, (void)line, (void)function; /* the machine knows the place better */
  __heddle_fail("assertion", condition);
}
