/* Reading into a stream's buffer; apart from stdio_files.c because standard input needs no more.
 * SPDX-License-Identifier: Apache-2.0 */
#include "stdio_impl.h"
#include "files.h"

/* Fills the caller's bytes first and leaves one for the buffer, as musl's readers expect: rpos and rend then show what
 * lies in it. */
size_t __stdio_read(FILE *f, unsigned char *bytes, size_t length) {
  size_t direct = length - !!f->buf_size;
  size_t done = 0;
  ssize_t got = 0;
  while (done < direct && (got = __heddle_read(f->fd, bytes + done, direct - done)) > 0) done += (size_t)got;
  if (got < 0 || (direct && done < direct)) {
    f->flags |= got < 0 ? F_ERR : F_EOF;
    return done;
  }
  if (!f->buf_size) return done;
  got = __heddle_read(f->fd, f->buf, f->buf_size);
  if (got <= 0) {
    f->flags |= got < 0 ? F_ERR : F_EOF;
    return done;
  }
  f->rpos = f->buf;
  f->rend = f->buf + got;
  bytes[length - 1] = *f->rpos++;
  return length;
}
