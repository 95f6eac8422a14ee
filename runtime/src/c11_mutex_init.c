/* mtx_init links the mutex types; programs with recursive C11 mutexes only.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <threads.h>
#include "internal.h"

int mtx_init(mtx_t *m, int type) {
  pthread_mutexattr_t a = {0};
  if (type & mtx_recursive) pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
  pthread_mutex_init((pthread_mutex_t *)m, &a);
  return thrd_success;
}
