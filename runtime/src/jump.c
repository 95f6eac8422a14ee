/* longjmp. setjmp itself is the machine's (setjmp.h): its caller's frame must be the one to return to.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <setjmp.h>
#include "internal.h"

_Noreturn void longjmp(jmp_buf buffer, int value) { __heddle_longjmp(buffer, value ? value : 1); }
_Noreturn void _longjmp(jmp_buf buffer, int value) { __heddle_longjmp(buffer, value ? value : 1); }
_Noreturn void siglongjmp(sigjmp_buf buffer, int value) { __heddle_longjmp(buffer, value ? value : 1); }
