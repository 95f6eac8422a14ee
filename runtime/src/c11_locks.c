/* C11 mutexes and condition variables over the POSIX ones: the types have the same layout.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <pthread.h>
#include <threads.h>
#include "internal.h"

static int result_of(int error) {
  return error == 0 ? thrd_success : error == EBUSY ? thrd_busy : error == ETIMEDOUT ? thrd_timedout : thrd_error;
}
static pthread_mutex_t *mutex(mtx_t *m) { return (pthread_mutex_t *)m; }
static pthread_cond_t *cond(cnd_t *c) { return (pthread_cond_t *)c; }

void mtx_destroy(mtx_t *m) { pthread_mutex_destroy(mutex(m)); }
int mtx_lock(mtx_t *m) { return result_of(pthread_mutex_lock(mutex(m))); }
int mtx_unlock(mtx_t *m) {
  int error = pthread_mutex_unlock(mutex(m));
  if (error == EPERM) MISUSE("mtx_unlock of a mutex that the thread does not hold");
  return result_of(error);
}
int mtx_trylock(mtx_t *m) { return result_of(pthread_mutex_trylock(mutex(m))); }
int mtx_timedlock(mtx_t *restrict m, const struct timespec *restrict t) {
  return result_of(pthread_mutex_timedlock(mutex(m), t));
}

int cnd_init(cnd_t *c) { return result_of(pthread_cond_init(cond(c), 0)); }
void cnd_destroy(cnd_t *c) { pthread_cond_destroy(cond(c)); }
int cnd_signal(cnd_t *c) { return result_of(pthread_cond_signal(cond(c))); }
int cnd_broadcast(cnd_t *c) { return result_of(pthread_cond_broadcast(cond(c))); }
int cnd_wait(cnd_t *c, mtx_t *m) { return result_of(pthread_cond_wait(cond(c), mutex(m))); }
int cnd_timedwait(cnd_t *restrict c, mtx_t *restrict m, const struct timespec *restrict t) {
  return result_of(pthread_cond_timedwait(cond(c), mutex(m), t));
}
