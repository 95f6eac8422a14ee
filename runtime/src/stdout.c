/* The streams of the console. Wide output, ferror and the like still use their records.
 * SPDX-License-Identifier: Apache-2.0 */
#include "console.h"

static size_t write_out(FILE *f, const unsigned char *bytes, size_t length) {
  if (f->wpos != f->wbase) __heddle_output(f->fd, (const char *)f->wbase, (size_t)(f->wpos - f->wbase));
  if (length) __heddle_output(f->fd, (const char *)bytes, length);
  f->wend = f->buf + f->buf_size;
  f->wpos = f->wbase = f->buf;
  return length;
}
static off_t seek_nowhere(FILE *f, off_t offset, int whence) {
  (void)f, (void)offset, (void)whence;
  errno = ESPIPE;
  return -1;
}
static int close_not(FILE *f) { return (void)f, 0; }

static unsigned char buffer_out[UNGET + 1], buffer_err[UNGET + 1];

FILE __stdout_FILE = {.buf = buffer_out + UNGET, .buf_size = 0, .fd = 1, .flags = F_PERM | F_NORD, .lbf = EOF,
                      .write = write_out, .seek = seek_nowhere, .close = close_not, .lock = 0};
FILE __stderr_FILE = {.buf = buffer_err + UNGET, .buf_size = 0, .fd = 2, .flags = F_PERM | F_NORD, .lbf = EOF,
                      .write = write_out, .seek = seek_nowhere, .close = close_not, .lock = 0};
#undef stdout
#undef stderr
FILE *const stdout = &__stdout_FILE;
FILE *const stderr = &__stderr_FILE;
