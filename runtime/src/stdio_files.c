/* Streams over the in-memory files.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "stdio_impl.h"
#include "files.h"

void __heddle_close_files(void) { __stdio_exit(); }
int __musl_fflush(FILE *);
int __heddle_flush_files(void) { return __musl_fflush(0); }

size_t __stdio_write(FILE *f, const unsigned char *bytes, size_t length) {
  size_t held = (size_t)(f->wpos - f->wbase);
  if ((held && __heddle_write(f->fd, f->wbase, held) < 0) || (length && __heddle_write(f->fd, bytes, length) < 0)) {
    f->wpos = f->wbase = f->wend = 0;
    f->flags |= F_ERR;
    return 0;
  }
  f->wend = f->buf + f->buf_size;
  f->wpos = f->wbase = f->buf;
  return length;
}

off_t __stdio_seek(FILE *f, off_t offset, int whence) { return lseek(f->fd, offset, whence); }
int __stdio_close(FILE *f) { return close(f->fd); }

FILE *__fdopen(int descriptor, const char *mode) {
  if (!strchr("rwa", *mode)) {
    errno = EINVAL;
    return 0;
  }
  FILE *f = malloc(sizeof *f + UNGET + 256);
  if (!f) return 0;
  memset(f, 0, sizeof *f);
  if (!strchr(mode, '+')) f->flags = *mode == 'r' ? F_NOWR : F_NORD;
  if (*mode == 'a') {
    __heddle_atomic_begin();
    struct opened *o = __heddle_find_opened(descriptor);
    if (o) o->flags |= O_APPEND;
    __heddle_atomic_end();
    f->flags |= F_APP;
  }
  f->fd = descriptor;
  f->buf = (unsigned char *)f + sizeof *f + UNGET;
  f->buf_size = 256;
  f->lbf = EOF;
  f->read = __stdio_read;
  f->write = __stdio_write;
  f->seek = __stdio_seek;
  f->close = __stdio_close;
  return __ofl_add(f);
}
FILE *fdopen(int descriptor, const char *mode) { return __fdopen(descriptor, mode); }

FILE *fopen(const char *restrict name, const char *restrict mode) {
  if (!strchr("rwa", *mode)) {
    errno = EINVAL;
    return 0;
  }
  int descriptor = open(name, __fmodeflags(mode), 0666);
  if (descriptor < 0) return 0;
  FILE *f = __fdopen(descriptor, mode);
  if (!f) close(descriptor);
  return f;
}

FILE *tmpfile(void) {
  char name[] = "/tmp/tmpfile_XXXXXX";
  int descriptor = mkstemp(name);
  if (descriptor < 0) return 0;
  unlink(name);
  FILE *f = __fdopen(descriptor, "w+");
  if (!f) close(descriptor);
  return f;
}
