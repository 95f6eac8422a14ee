/* Scheduling hints without effect: every schedule is explored anyway. Nothing is ever cancelled.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <string.h>
#include "pthread_impl.h"
#include "internal.h"

int sched_yield(void) { return 0; }
int pthread_attr_init(pthread_attr_t *a) {
  memset(a, 0, sizeof *a);
  a->_a_stacksize = DEFAULT_STACK_SIZE;
  a->_a_guardsize = DEFAULT_GUARD_SIZE;
  return 0;
}
void pthread_testcancel(void) {}
int pthread_setname_np(pthread_t thread, const char *name) { return (void)thread, strlen(name) > 15 ? ERANGE : 0; }
int pthread_getconcurrency(void) { return 0; }
int pthread_setconcurrency(int n) { return n < 0 ? EINVAL : 0; }
int pthread_setaffinity_np(pthread_t t, size_t n, const cpu_set_t *s) { return (void)t, (void)n, (void)s, 0; }
int pthread_atfork(void (*a)(void), void (*b)(void), void (*c)(void)) { return (void)a, (void)b, (void)c, 0; }
