/* Sleeping is a hint without effect: every schedule is explored anyway.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <time.h>
#include <unistd.h>

unsigned sleep(unsigned seconds) { return (void)seconds, 0; }
int usleep(unsigned microseconds) { return (void)microseconds, 0; }
int nanosleep(const struct timespec *length, struct timespec *rest) { return (void)length, (void)rest, 0; }
int clock_nanosleep(clockid_t which, int flags, const struct timespec *length, struct timespec *rest) {
  return (void)which, (void)flags, (void)length, (void)rest, 0;
}
