/* C11 threads over the same threads.
 * SPDX-License-Identifier: Apache-2.0 */
#include <pthread.h>
#include <stdint.h>
#include <threads.h>
#include "internal.h"

struct start {
  thrd_start_t routine;
  void *argument;
};

static void *begin(void *argument) {
  struct start s = *(struct start *)argument;
  __heddle_free(argument);
  return (void *)(intptr_t)s.routine(s.argument);
}

int thrd_create(thrd_t *thread, thrd_start_t routine, void *argument) {
  struct start *s = __heddle_alloc(sizeof *s, runtime_kind);
  s->routine = routine;
  s->argument = argument;
  return pthread_create(thread, 0, begin, s) ? thrd_error : thrd_success;
}
int thrd_join(thrd_t thread, int *result) {
  void *value;
  if (pthread_join(thread, result ? &value : 0)) return thrd_error;
  if (result) *result = (int)(intptr_t)value;
  return thrd_success;
}
thrd_t thrd_current(void) { return pthread_self(); }
int (thrd_equal)(thrd_t a, thrd_t b) { return a == b; }
void thrd_yield(void) {}
int thrd_sleep(const struct timespec *length, struct timespec *rest) {
  (void)rest;
  return length->tv_sec < 0 || length->tv_nsec < 0 || length->tv_nsec >= 1000000000 ? -2 : 0;
}
