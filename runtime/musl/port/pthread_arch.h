/* musl's port to the checker's machine: errno and the locale are in a block that a thread gets when it first asks
 * (src/block.c), so that threads which never do carry none in their states.
 * SPDX-License-Identifier: Apache-2.0 */
struct __pthread *__heddle_block(void);
static inline uintptr_t __get_tp(void) { return (uintptr_t)__heddle_block(); }
#define MC_PC gregs[16]
