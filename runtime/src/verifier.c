/* The names of the software verification competition.
 * SPDX-License-Identifier: Apache-2.0 */
#include <limits.h>
#include "heddle.h"
#include "internal.h"

void __VERIFIER_assume(int condition) { __heddle_assume(condition); }
_Noreturn void __VERIFIER_error(void) { __heddle_fail("reach-error", "__VERIFIER_error() was called"); }
WEAK void reach_error(void) { __heddle_fail("reach-error", "reach_error() was called"); }
void __VERIFIER_atomic_begin(void) { __heddle_section_begin(); }
void __VERIFIER_atomic_end(void) { __heddle_section_end(); }

_Bool __VERIFIER_nondet_bool(void) { return __heddle_choose(2) != 0; }

/* A value that the range on the command line and the type have in common; without a range any value of a small type. */
static int pick(const char *name, int least, int greatest) {
  int low = least, high = greatest;
  if (__heddle_nondet_given) {
    if (__heddle_nondet_low > low) low = __heddle_nondet_low;
    if (__heddle_nondet_high < high) high = __heddle_nondet_high;
    if (low > high) __heddle_assume(0); /* the range has no value of the type */
  }
  unsigned count = (unsigned)high - (unsigned)low + 1;
  if (count == 0 || (!__heddle_nondet_given && count > 256)) __heddle_unsupported(name);
  return count == 1 ? low : (int)((unsigned)low + __heddle_choose(count));
}

#define NONDET(type, name, least, greatest)                                                                              \
  type __VERIFIER_nondet_##name(void) {                                                                                 \
    return (type)pick("__VERIFIER_nondet_" #name " has too many values to try all of them: give a range, as --nondet -1:5", \
                      least, greatest);                                                                                 \
  }

NONDET(char, char, CHAR_MIN, CHAR_MAX)
NONDET(unsigned char, uchar, 0, UCHAR_MAX)
NONDET(short, short, SHRT_MIN, SHRT_MAX)
NONDET(unsigned short, ushort, 0, USHRT_MAX)
NONDET(int, int, INT_MIN, INT_MAX)
NONDET(unsigned int, uint, 0, INT_MAX)
NONDET(unsigned int, unsigned, 0, INT_MAX)
NONDET(long, long, INT_MIN, INT_MAX)
NONDET(unsigned long, ulong, 0, INT_MAX)
NONDET(long long, longlong, INT_MIN, INT_MAX)
NONDET(unsigned long long, ulonglong, 0, INT_MAX)
NONDET(unsigned long, size_t, 0, INT_MAX)

/* GenMC's and Dartagnan's names. Bounds and hints about loops change nothing that is checked here: --loop-bound is the
 * user's, and waiting loops are found by themselves. */
void __VERIFIER_assert(int condition) {
  if (!condition) __heddle_fail("assertion", "__VERIFIER_assert");
}
int __VERIFIER_tid(void) { return (int)__heddle_self(); }
void __VERIFIER_loop_bound(int rounds) { (void)rounds; }
void __VERIFIER_loop_begin(void) {}
void __VERIFIER_spin_start(void) {}
void __VERIFIER_spin_end(int condition) { (void)condition; }
void __VERIFIER_make_symmetric(void) {}
