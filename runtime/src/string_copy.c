/* Copies of strings between overlapping regions are undefined, and reported. The check comes after the copy, when the
 * length is known and no byte has been read twice; a copy that overwrites its own end leaves its object before that.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <string.h>
#include "internal.h"

char *__stpcpy(char *restrict to, const char *restrict from) {
  size_t n = 0;
  while ((to[n] = from[n])) n++;
  __heddle_disjoint(to, from, n + 1);
  return to + n;
}
WEAK char *stpcpy(char *restrict to, const char *restrict from) { return __stpcpy(to, from); }

char *__stpncpy(char *restrict to, const char *restrict from, size_t length) {
  size_t n = 0;
  while (n < length && (to[n] = from[n])) n++;
  __heddle_disjoint(to, from, n < length ? n + 1 : n);
  memset(to + n, 0, length - n);
  return to + n;
}
WEAK char *stpncpy(char *restrict to, const char *restrict from, size_t length) { return __stpncpy(to, from, length); }

char *strcpy(char *restrict to, const char *restrict from) { return __stpcpy(to, from), to; }
char *strncpy(char *restrict to, const char *restrict from, size_t length) { return __stpncpy(to, from, length), to; }
char *strcat(char *restrict to, const char *restrict from) { return __stpcpy(to + strlen(to), from), to; }

char *strncat(char *restrict to, const char *restrict from, size_t length) {
  char *end = to + strlen(to);
  size_t n = 0;
  while (n < length && (end[n] = from[n])) n++;
  end[n] = 0;
  __heddle_disjoint(end, from, n);
  __heddle_disjoint(end + 1, from, n); /* the final 0 is written, too */
  return to;
}
