/* The names of LLMC (section 4.1.4 of its thesis).
 * SPDX-License-Identifier: Apache-2.0 */
#include <string.h>
#include "heddle.h"
#include "internal.h"

void llmc_assume(_Bool condition) { __heddle_assume(condition); }
void llmc_atomic_begin(void) { __heddle_section_begin(); }
void llmc_atomic_end(void) { __heddle_section_end(); }
void llmc_barrier_seq_cst(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void llmc_barrier_release(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
void llmc_barrier_acquire(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }
void llmc_barrier_ss(void) { __atomic_thread_fence(__ATOMIC_RELEASE); }
void llmc_barrier_ll(void) { __atomic_thread_fence(__ATOMIC_ACQUIRE); }

#define EXCHANGE(type, order, failure)                                                                              \
  __atomic_compare_exchange_n((type *)target, (type *)expected, *(const type *)desired, 0, order, failure)
#define BY_ORDER(type)                                                                                              \
  switch (success) {                                                                                                \
    case __ATOMIC_RELAXED: return EXCHANGE(type, __ATOMIC_RELAXED, __ATOMIC_RELAXED);                               \
    case __ATOMIC_CONSUME:                                                                                          \
    case __ATOMIC_ACQUIRE: return EXCHANGE(type, __ATOMIC_ACQUIRE, __ATOMIC_ACQUIRE);                               \
    case __ATOMIC_RELEASE: return EXCHANGE(type, __ATOMIC_RELEASE, __ATOMIC_RELAXED);                               \
    case __ATOMIC_ACQ_REL: return EXCHANGE(type, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);                               \
    default: return EXCHANGE(type, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);                                             \
  }

_Bool __atomic_compare_exchange_llmc(int size, void *target, void *expected, const void *desired, int success,
                                     int failure) {
  (void)failure;
  switch (size) {
    case 1: BY_ORDER(unsigned char)
    case 2: BY_ORDER(unsigned short)
    case 4: BY_ORDER(unsigned int)
    case 8: BY_ORDER(unsigned long)
    case 16: BY_ORDER(unsigned __int128)
  }
  __heddle_unsupported("__atomic_compare_exchange_llmc of this size");
}
