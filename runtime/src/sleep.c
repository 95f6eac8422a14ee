/* Sleeping is a hint without effect, but for wrong lengths: every schedule is explored anyway.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <time.h>
#include <unistd.h>

unsigned sleep(unsigned seconds) { return (void)seconds, 0; }
int usleep(unsigned microseconds) { return (void)microseconds, 0; }
int clock_nanosleep(clockid_t which, int flags, const struct timespec *length, struct timespec *rest) {
  (void)flags, (void)rest;
  return which > CLOCK_TAI || length->tv_sec < 0 || length->tv_nsec < 0 || length->tv_nsec >= 1000000000 ? EINVAL : 0;
}
int nanosleep(const struct timespec *length, struct timespec *rest) {
  int error = clock_nanosleep(CLOCK_REALTIME, 0, length, rest);
  if (error) errno = error;
  return error ? -1 : 0;
}
