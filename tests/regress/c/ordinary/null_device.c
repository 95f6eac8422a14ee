// what    /dev/null and the flags of descriptors
// why     the device is there before it is opened, and keeps nothing; what is set is what is asked for later
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <fcntl.h>
#include <unistd.h>
#include <stdio.h>
int main(void) {
  assert(access("/dev/null", R_OK) == 0);
  int fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
  assert(fd >= 3 && fcntl(fd, F_GETFD) == FD_CLOEXEC && fcntl(fd, F_SETFD, 0) == 0 && fcntl(fd, F_GETFD) == 0);
  assert(write(fd, "x", 1) == 1 && close(fd) == 0);
  FILE *f = fopen("/dev/null", "w"); fprintf(f, "lost"); fclose(f);
  f = fopen("/dev/null", "r"); assert(f && getc(f) == EOF); fclose(f);
}
