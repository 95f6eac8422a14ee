/* printf and its family: formatted by musl into a stream of the call's own, then handed to the machine in one piece
 * (or several, if it is long).
 * SPDX-License-Identifier: Apache-2.0 */
#include "console.h"

int __musl_vfprintf(FILE *restrict, const char *restrict, va_list);

static size_t pass_on(FILE *f, const unsigned char *bytes, size_t length) {
  int number = f->fd;
  if (f->wpos != f->wbase) __heddle_output(number, (const char *)f->wbase, (size_t)(f->wpos - f->wbase));
  if (length) __heddle_output(number, (const char *)bytes, length);
  f->wpos = f->wbase = f->buf;
  f->wend = f->buf + f->buf_size;
  return length;
}

int vfprintf(FILE *restrict f, const char *restrict format, va_list arguments) {
  int number = console_number(f);
  if (!number) return __musl_vfprintf(f, format, arguments);
  unsigned char buffer[256];
  FILE own = {.lbf = EOF, .write = pass_on, .lock = -1, .buf = buffer, .buf_size = sizeof buffer, .fd = number};
  int locked = CONSOLE_LOCK(f);
  int result = __musl_vfprintf(&own, format, arguments);
  if (own.wpos != own.wbase) pass_on(&own, 0, 0);
  console_unlock(f, locked);
  return result;
}
