/* Detached threads. Only programs that have some remember, for the first 64 threads and for all of them to see, who was
 * detached or joined.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <errno.h>
#include <stdint.h>
#include "pthread_impl.h"
#include "internal.h"

static int gone[64];

void __heddle_not_joinable(unsigned number, const char *wrong) {
  if (number >= 64) return;
  if (__heddle_swap(&gone[number], 1)) MISUSE(wrong);
}

int pthread_attr_setdetachstate(pthread_attr_t *a, int state) {
  if ((unsigned)state > 1) return EINVAL;
  a->_a_detach = state;
  return 0;
}
int __heddle_detached(const pthread_attr_t *a) { return a->_a_detach; }

int pthread_detach(pthread_t thread) {
  unsigned handle = (unsigned)(uintptr_t)thread;
  if (handle == 0) MISUSE("this value is no thread");
  __heddle_not_joinable(handle - 1, "pthread_detach of a thread that was detached or joined");
  return 0;
}
