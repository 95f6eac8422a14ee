/* The system's random numbers. Every thread is given the same ones; a verdict about a program that asks for them says so.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <sys/random.h>
#include <unistd.h>
#include "internal.h"

ssize_t getrandom(void *buffer, size_t length, unsigned flags) {
  static _Thread_local unsigned state;
  (void)flags;
  unsigned char *to = buffer;
  for (size_t i = 0; i < length; i++) {
    state = state * 1664525U + 1013904223U;
    to[i] = (unsigned char)(state >> 24);
  }
  return (ssize_t)length;
}

int getentropy(void *buffer, size_t length) {
  if (length > 256) {
    errno = EIO;
    return -1;
  }
  getrandom(buffer, length, 0);
  return 0;
}
