/* What the modules of the runtime library share: the machine's functions, the constants that the front end sets, and
 * the rule by which all of them are written:
 *   one call of the checked program is at most one visible step, or one step and one wait; nothing spins; and words
 *   that serve only to detect misuse are kept where they cost no step of their own.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_INTERNAL_H
#define HEDDLE_INTERNAL_H
#include <stddef.h>
#include "heddle_vm.h"

/* Set by the front end (config.c); constant, so that reading them is no access to shared memory. */
extern const int __heddle_malloc_may_fail;
extern const int __heddle_spurious_wakeups;
extern const int __heddle_uncaught;
extern const int __heddle_time_choices;
extern const int __heddle_nondet_given, __heddle_nondet_low, __heddle_nondet_high;
extern const int __heddle_results_read, __heddle_joins_elsewhere, __heddle_creates_elsewhere;
extern const int __heddle_detaches, __heddle_typed_mutexes;
extern const char *const __heddle_stdin_bytes;
extern const size_t __heddle_stdin_size;

#define WEAK __attribute__((__weak__))
#define MISUSE(text) __heddle_fail("misuse", text)
enum { runtime_kind = 3 };

/* Owners of locks are stored as the thread's number plus one: zero is free, as static initialisers have it. */
static inline int __heddle_me(void) { return (int)__heddle_self() + 1; }
static inline int __heddle_swap(int *cell, int value) { return __atomic_exchange_n(cell, value, __ATOMIC_SEQ_CST); }

/* The contents of a destroyed object: a word without a value, so that a read of it is reported. */
static inline void __heddle_undefine(int *cell) {
  volatile int nothing;
  *(volatile int *)cell = nothing;
}

/* Whether the bits of a word that was perhaps never set are these. */
static inline int __heddle_holds(const int *cell, unsigned bits, unsigned value) {
  unsigned found = *(const volatile unsigned *)cell;
  return __heddle_defined((void *)(size_t)found) && (found & bits) == value;
}

void *__heddle_quiet_malloc(size_t);
int __heddle_refuses(size_t); /* an allocation of so many bytes */
void __heddle_end_thread(void *result);

#endif
