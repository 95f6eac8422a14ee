/* Clocks. Time stands still unless the front end asks for several choices (config.c): then each read may return a later
 * second, in any order.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/time.h>
#include <sys/times.h>
#include <time.h>
#include "internal.h"

enum { epoch = 1600000000 };

static time_t now(void) {
  return epoch + (__heddle_time_choices > 1 ? (time_t)__heddle_choose((unsigned)__heddle_time_choices) : 0);
}

time_t time(time_t *result) {
  time_t t = now();
  if (result) *result = t;
  return t;
}
clock_t clock(void) { return (now() - epoch) * CLOCKS_PER_SEC; }

static int unknown(clockid_t which) { /* those of processes and threads are negative */
  if (which <= CLOCK_TAI) return 0;
  errno = EINVAL;
  return 1;
}

int clock_gettime(clockid_t which, struct timespec *result) {
  if (unknown(which)) return -1;
  result->tv_sec = now();
  result->tv_nsec = 0;
  return 0;
}
int __clock_gettime(clockid_t which, struct timespec *result) { return clock_gettime(which, result); }
int clock_getres(clockid_t which, struct timespec *result) {
  if (unknown(which)) return -1;
  if (result) result->tv_sec = 0, result->tv_nsec = 1;
  return 0;
}
int gettimeofday(struct timeval *restrict result, void *restrict zone) {
  (void)zone;
  if (result) result->tv_sec = now(), result->tv_usec = 0;
  return 0;
}
int timespec_get(struct timespec *result, int base) {
  if (base != TIME_UTC) return 0;
  clock_gettime(CLOCK_REALTIME, result);
  return base;
}
