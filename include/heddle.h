/* heddle.h: what a checked program may ask of the checker.
 *
 * The program also compiles and runs without the checker: define HEDDLE_NATIVE, and heddle_choose() gives 0, assumptions
 * end the program quietly, and atomic sections are not atomic.
 *
 * Programs written for other checkers need no change: __VERIFIER_* (SV-COMP) and llmc_* (LLMC) are there too.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_H
#define HEDDLE_H
#ifdef __cplusplus
extern "C" {
#define HEDDLE_BOOL bool
#else
#define HEDDLE_BOOL _Bool
#endif

/* Any of 0 … n-1: the checker follows every one. n must not be 0. */
unsigned heddle_choose(unsigned n);

/* Executions in which the condition is false are not looked at further. */
void heddle_assume(int condition);

/* Nothing else happens between begin and end: no step of another thread, no buffered store arrives. The begin is a full
 * fence, and stores inside go to memory at once. Sections do not nest. */
void heddle_atomic_begin(void);
void heddle_atomic_end(void);

/* The value itself, in a way that no optimiser sees through: for address and data dependencies that must stay, as in
 * a[heddle_opaque(r) - r]. A local operation: no fence, no access to memory. */
long heddle_opaque(long value);

/* A named place for temporal formulas (--ltl): a thread that comes here stands at the point, in a step of its own, until
 * its next step. The name is a string literal. Without a formula it is nothing at all. */
void heddle_point(const char *name);

/* SV-COMP */
void __VERIFIER_assume(int condition);
void __VERIFIER_error(void) __attribute__((noreturn));
void reach_error(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
/* One of the values from the range that was given on the command line (for unsigned types: from zero on); without a
 * range any value of types of one byte, and UNKNOWN for the others. */
HEDDLE_BOOL __VERIFIER_nondet_bool(void);
char __VERIFIER_nondet_char(void);
unsigned char __VERIFIER_nondet_uchar(void);
short __VERIFIER_nondet_short(void);
unsigned short __VERIFIER_nondet_ushort(void);
int __VERIFIER_nondet_int(void);
unsigned int __VERIFIER_nondet_uint(void);
unsigned int __VERIFIER_nondet_unsigned(void);
long __VERIFIER_nondet_long(void);
unsigned long __VERIFIER_nondet_ulong(void);
long long __VERIFIER_nondet_longlong(void);
unsigned long long __VERIFIER_nondet_ulonglong(void);
unsigned long __VERIFIER_nondet_size_t(void);

/* GenMC and Dartagnan */
void __VERIFIER_assert(int condition);
int __VERIFIER_tid(void); /* the number of the thread, from 0 on */
void __VERIFIER_loop_bound(int rounds);
void __VERIFIER_loop_begin(void);
void __VERIFIER_spin_start(void);
void __VERIFIER_spin_end(int condition);

/* LLMC (section 4.1.4 of its thesis) */
void llmc_assume(HEDDLE_BOOL condition);
void llmc_atomic_begin(void);
void llmc_atomic_end(void);
void llmc_barrier_seq_cst(void);
void llmc_barrier_release(void);
void llmc_barrier_acquire(void);
void llmc_barrier_ss(void); /* store-store: as release */
void llmc_barrier_ll(void); /* load-load: as acquire */
HEDDLE_BOOL __atomic_compare_exchange_llmc(int size, void *target, void *expected, const void *desired, int success,
                                     int failure);

#ifdef HEDDLE_NATIVE
#include <stdlib.h>
static inline unsigned heddle_native_choose(unsigned n) { return (void)n, 0; }
static inline void heddle_native_assume(int condition) {
  if (!condition) exit(0);
}
#define heddle_choose heddle_native_choose
#define heddle_assume heddle_native_assume
#define heddle_atomic_begin() ((void)0)
#define heddle_atomic_end() ((void)0)
static inline long heddle_native_opaque(long value) {
  __asm__ volatile("" : "+r"(value));
  return value;
}
#define heddle_opaque heddle_native_opaque
#define heddle_point(name) ((void)(name))
#endif

#ifdef __cplusplus
}
#endif
#endif
