/* stdout and stderr are not buffered by the library: what is written goes to the machine at once, and no word of the
 * stream is read or written. So printing is no access to shared memory, no scheduling point and no fence, and a printf
 * added for debugging does not hide an error.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CONSOLE_H
#define HEDDLE_CONSOLE_H
#include "stdio_impl.h"
#include "internal.h"

extern FILE __stdout_FILE, __stderr_FILE;

/* 1 or 2 for the console, 0 for other streams; compares addresses only. */
static inline int console_number(FILE *f) { return f == &__stdout_FILE ? 1 : f == &__stderr_FILE ? 2 : 0; }
#endif
