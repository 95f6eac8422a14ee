/* Constants that the front end may replace before it links: their initialisers are the defaults.
 * SPDX-License-Identifier: Apache-2.0 */
#include "internal.h"

const int __heddle_malloc_may_fail = 0;   /* 1: every allocation may also return null */
const int __heddle_spurious_wakeups = 0;  /* 1: waits on condition variables may return spuriously */
const int __heddle_uncaught = 0;          /* 1: an uncaught exception unwinds the stack; 2: it may or may not */
const int __heddle_time_choices = 1;      /* n: each read of a clock returns any of n successive seconds */
const int __heddle_nondet_given = 0;      /* 1: __VERIFIER_nondet_* give any value from low to high */
const int __heddle_nondet_low = 0;
const int __heddle_nondet_high = 0;
const int __heddle_results_read = 1;      /* 0: no call of pthread_join takes a thread's result */
const int __heddle_joins_elsewhere = 1;   /* 0: only the first thread joins others */
const int __heddle_creates_elsewhere = 1; /* 0: only the first thread creates others */
const int __heddle_detaches = 1;          /* 0: no thread is ever detached */
const int __heddle_typed_mutexes = 1;     /* 0: all mutexes are of the normal type */
const char *const __heddle_stdin_bytes = "";
const size_t __heddle_stdin_size = 0;
