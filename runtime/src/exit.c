/* The ways to end. What only some programs have (handlers, buffered files, destructors) is referred to weakly, so that
 * the others end without an access to shared memory.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdlib.h>
#include "internal.h"

WEAK void __heddle_run_thread_atexit(void);
WEAK void __heddle_run_atexit(void);
WEAK void __heddle_run_at_quick_exit(void);
WEAK void __heddle_dtors(void);
WEAK void __heddle_close_files(void);

_Noreturn void exit(int status) {
  if (__heddle_run_thread_atexit) __heddle_run_thread_atexit();
  if (__heddle_run_atexit) __heddle_run_atexit();
  if (__heddle_dtors) __heddle_dtors();
  if (__heddle_close_files) __heddle_close_files();
  __heddle_exit(status);
}

_Noreturn void quick_exit(int status) {
  if (__heddle_run_at_quick_exit) __heddle_run_at_quick_exit();
  __heddle_exit(status);
}

_Noreturn void _Exit(int status) { __heddle_exit(status); }
_Noreturn void _exit(int status) { __heddle_exit(status); }
