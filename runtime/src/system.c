/* The little that programs ask about the system they run on.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/sysinfo.h>
#include <unistd.h>
#include "internal.h"

pid_t getpid(void) { return 2; }
pid_t getppid(void) { return 1; }
pid_t gettid(void) { return 2 + (pid_t)__heddle_self(); }
uid_t getuid(void) { return 1000; }
uid_t geteuid(void) { return 1000; }
gid_t getgid(void) { return 1000; }
gid_t getegid(void) { return 1000; }
int getpagesize(void) { return 4096; }
int get_nprocs(void) { return 2; }
int get_nprocs_conf(void) { return 2; }

long sysconf(int name) {
  switch (name) {
    case _SC_PAGE_SIZE: return 4096;
    case _SC_NPROCESSORS_ONLN:
    case _SC_NPROCESSORS_CONF: return 2;
    case _SC_CLK_TCK: return 100;
    case _SC_OPEN_MAX: return 64;
  }
  errno = EINVAL;
  return -1;
}
