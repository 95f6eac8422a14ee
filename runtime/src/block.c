/* The block of a thread's own data: errno and locale (musl's struct __pthread) and thread-specific values. A thread
 * gets it on first use; no other thread ever sees its address.
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "locale_impl.h"
#include "internal.h"

struct __pthread *__heddle_block(void) {
  struct __pthread *block = __heddle_thread_pointer();
  if (!block) {
    block = __heddle_alloc(sizeof *block, runtime_kind);
    memset(block, 0, sizeof *block);
    block->self = block;
    block->tid = __heddle_me();
    block->locale = &libc.global_locale;
    __heddle_set_thread_pointer(block);
  }
  return block;
}

int *__errno_location(void) { return &__heddle_block()->errno_val; }
int *___errno_location(void) { return &__heddle_block()->errno_val; }
