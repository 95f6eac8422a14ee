// what    sleeping for a wrong length, and reading a clock that does not exist
// why     POSIX has both fail with EINVAL
// expect  sc,rc11 holds
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <time.h>

int main(void) {
  struct timespec before = {0, -1}, well = {1, 999999999}, result;
  assert(nanosleep(&before, 0) == -1 && errno == EINVAL);
  assert(nanosleep(&well, 0) == 0);
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &before, 0) == EINVAL);
  assert(clock_nanosleep(CLOCK_MONOTONIC, 0, &well, 0) == 0);
  errno = 0;
  assert(clock_gettime(12345, &result) == -1 && errno == EINVAL);
  assert(clock_getres(12345, &result) == -1);
  assert(clock_gettime(CLOCK_MONOTONIC, &result) == 0);
  assert(clock_gettime(CLOCK_THREAD_CPUTIME_ID, &result) == 0);
  return 0;
}
