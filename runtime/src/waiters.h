/* Threads that wait, as bits of one word: bit n is thread number n, so the order of arrival is no part of the state. A
 * thread that wakes another clears its bit and sets its cell, in one atomic section; the thread waits for its cell
 * alone and clears it again. So the object with the word may be destroyed as soon as nobody's bit is set, though a
 * thread that was woken has not gone on yet; and in an execution graph a section has one access at most of which
 * several writes can be read. Used by condition variables and barriers.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_WAITERS_H
#define HEDDLE_WAITERS_H
#include "internal.h"

enum { most_waiters = 64 };
extern int __heddle_woken[most_waiters];

static inline unsigned waiter_number(void) {
  unsigned me = __heddle_self();
  if (me >= most_waiters) __heddle_unsupported("waiting at a barrier or condition variable by a thread behind the 64th");
  return me;
}

static inline unsigned long waiter_bit(unsigned thread) { return 1UL << thread; }

static inline void waiters_wake(unsigned long waiters) {
  for (; waiters; waiters &= waiters - 1) __heddle_woken[__builtin_ctzl(waiters)] = 1;
}

static inline void waiter_wait(unsigned me) { __heddle_wait_cas(&__heddle_woken[me], 1, 0); }
#endif
