/* Where the words of a pthread_mutex_t are.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_MUTEX_H
#define HEDDLE_MUTEX_H
#include <pthread.h>
static inline int *mutex_type(pthread_mutex_t *m) { return &m->__u.__i[0]; }
static inline int *mutex_lock(pthread_mutex_t *m) { return &m->__u.__i[1]; }
static inline int *mutex_count(pthread_mutex_t *m) { return &m->__u.__i[5]; }
#endif
