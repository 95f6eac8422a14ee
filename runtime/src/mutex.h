/* Where the words of a pthread_mutex_t are.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_MUTEX_H
#define HEDDLE_MUTEX_H
#include <pthread.h>
#include "internal.h"
static inline int *mutex_type(pthread_mutex_t *m) { return &m->__u.__i[0]; }
static inline int *mutex_lock(pthread_mutex_t *m) { return &m->__u.__i[1]; }
static inline int *mutex_count(pthread_mutex_t *m) { return &m->__u.__i[5]; }
/* The types are looked at only where a program may ask for one (mutex_type.c is linked). */
WEAK extern const int __heddle_mutex_types;
static inline int type_of(pthread_mutex_t *m) {
  return &__heddle_mutex_types && __heddle_typed_mutexes ? *mutex_type(m) : PTHREAD_MUTEX_NORMAL;
}
/* What the lock word holds while the mutex is locked: a magic number, rare in uninitialised memory, and the owner. */
enum { mutex_sign = 0x4d580000, mutex_sign_bits = 0x7fff0000 };
static inline int mutex_me(void) { return mutex_sign + __heddle_me(); }
#endif
