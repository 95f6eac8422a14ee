/* musl's own locks: around its lists, and of streams (recursive, by owner).
 * SPDX-License-Identifier: Apache-2.0 */
#include "stdio_impl.h"
#include "lock.h"
#include "internal.h"

void __lock(volatile int *l) { __heddle_wait_cas((int *)l, 0, 1); }
void __unlock(volatile int *l) { __heddle_unlock((int *)l); }

int __lockfile(FILE *f) {
  int me = __heddle_me();
  if (__atomic_load_n(&f->lock, __ATOMIC_RELAXED) == me) return 0;
  __heddle_wait_lock((int *)&f->lock, me);
  return 1;
}
void __unlockfile(FILE *f) { __heddle_unlock((int *)&f->lock); }
