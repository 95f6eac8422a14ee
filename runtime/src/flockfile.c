/* Streams that the program locks itself. That this module is linked tells the console (console.h) to take its locks, too.
 * SPDX-License-Identifier: Apache-2.0 */
#include "stdio_impl.h"
#include "internal.h"

const int __heddle_stream_locks = 1;

void flockfile(FILE *f) {
  __lockfile(f);
  f->lockcount++;
}
int ftrylockfile(FILE *f) {
  int me = __heddle_me(), found = 0;
  if (!__atomic_compare_exchange_n(&f->lock, &found, me, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED) && found != me) return -1;
  f->lockcount++;
  return 0;
}
void funlockfile(FILE *f) {
  if (__atomic_load_n(&f->lock, __ATOMIC_RELAXED) != __heddle_me())
    MISUSE("funlockfile of a stream that the thread has not locked");
  if (--f->lockcount == 0) __unlockfile(f);
}
