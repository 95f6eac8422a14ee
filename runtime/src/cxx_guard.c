/* Initialisation of a function's static variables (Itanium C++ ABI, 3.3.3). Compiled code reads the first byte of the
 * guard by an acquire load and calls these while it is zero; the second word is a lock, which holds its owner or zero.
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdint.h>
#include "internal.h"

static char *done(uint64_t *guard) { return (char *)guard; }
static int *lock(uint64_t *guard) { return (int *)guard + 1; }

int __cxa_guard_acquire(uint64_t *guard) {
  int me = __heddle_me();
  if (__atomic_load_n(lock(guard), __ATOMIC_RELAXED) == me)
    __heddle_fail("recursive-initialisation", "a static variable is needed for its own initialisation");
  __heddle_wait_lock(lock(guard), me);
  if (!__atomic_load_n(done(guard), __ATOMIC_ACQUIRE)) return 1;
  __heddle_unlock(lock(guard));
  return 0;
}

void __cxa_guard_release(uint64_t *guard) {
  __atomic_store_n(done(guard), 1, __ATOMIC_RELEASE);
  __heddle_unlock(lock(guard));
}

void __cxa_guard_abort(uint64_t *guard) { __heddle_unlock(lock(guard)); }
