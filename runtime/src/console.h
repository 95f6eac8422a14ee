/* stdout and stderr are not buffered by the library: what is written goes to the machine at once, and no word of the
 * stream is read or written. So printing is no access to shared memory, no scheduling point and no fence, and a printf
 * added for debugging does not hide an error. Only where the program locks streams (flockfile.c) does printing take the
 * stream's lock.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_CONSOLE_H
#define HEDDLE_CONSOLE_H
#include "stdio_impl.h"
#include "internal.h"

extern FILE __stdout_FILE, __stderr_FILE;

/* 1 or 2 for the console, 0 for other streams; compares addresses only. */
static inline int console_number(FILE *f) { return f == &__stdout_FILE ? 1 : f == &__stderr_FILE ? 2 : 0; }

/* A macro, so that a thread that waits here is seen to wait in the function that the program called. */
WEAK extern const int __heddle_stream_locks;
#define CONSOLE_LOCK(f) (&__heddle_stream_locks ? __lockfile(f) : 0)
static inline void console_unlock(FILE *f, int locked) {
  if (locked) __unlockfile(f);
}
#endif
