/* The in-memory files and the calls on descriptors.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>
#include "files.h"

struct file *__heddle_files;
struct opened *__heddle_opened[max_descriptors];
unsigned long __heddle_closed_by_exec;
static size_t stdin_position;

static int error(int number) {
  errno = number;
  return -1;
}

static struct file *add_file(const char *name, _Bool discards) {
  size_t length = strlen(name) + 1;
  struct file *f = __heddle_alloc(sizeof *f, runtime_kind);
  memset(f, 0, sizeof *f);
  f->name = memcpy(__heddle_alloc(length, runtime_kind), name, length);
  f->discards = discards;
  struct file **at = &__heddle_files; /* by name: the order of creation leaves no trace */
  while (*at && strcmp((*at)->name, name) < 0) at = &(*at)->next;
  f->next = *at;
  *at = f;
  return f;
}

struct file *__heddle_find_file(const char *name) {
  struct file *f = __heddle_files;
  while (f && strcmp(f->name, name)) f = f->next;
  return f || strcmp(name, "/dev/null") ? f : add_file(name, 1);
}

struct opened *__heddle_find_opened(int descriptor) {
  return descriptor > 2 && descriptor < max_descriptors ? __heddle_opened[descriptor] : 0;
}

int __heddle_lowest_descriptor(int from) {
  int d = from < 3 ? 3 : from;
  while (d < max_descriptors && __heddle_opened[d]) d++;
  return d < max_descriptors ? d : -1;
}

void __heddle_mark_for_exec(int descriptor, int closed) {
  unsigned long bit = 1UL << descriptor;
  if (closed) __heddle_closed_by_exec |= bit;
  else if (__heddle_closed_by_exec & bit) __heddle_closed_by_exec &= ~bit;
}

void __heddle_drop_file(struct file *f) {
  if (f->name || f->opens) return;
  if (f->bytes) __heddle_free(f->bytes);
  __heddle_free(f);
}

int __heddle_fit(struct file *f, size_t size) {
  if (size > f->room) {
    size_t room = size < 64 ? 64 : size < 2 * f->room ? 2 * f->room : size;
    char *bytes = __heddle_alloc(room, runtime_kind);
    if (f->size) memcpy(bytes, f->bytes, f->size);
    memset(bytes + f->size, 0, room - f->size);
    if (f->bytes) __heddle_free(f->bytes);
    f->bytes = bytes;
    f->room = room;
  }
  if (size < f->size) memset(f->bytes + size, 0, f->size - size);
  f->size = size;
  return 0;
}

static int open_inside(const char *name, int flags) {
  int d = __heddle_lowest_descriptor(0);
  if (d < 0) return -EMFILE;
  struct file *f = __heddle_find_file(name);
  if (f && (flags & O_CREAT) && (flags & O_EXCL)) return -EEXIST;
  if (!f) {
    if (!(flags & O_CREAT) || !*name) return -ENOENT;
    f = add_file(name, 0);
  }
  if ((flags & O_TRUNC) && (flags & O_ACCMODE) != O_RDONLY) __heddle_fit(f, 0);
  struct opened *o = __heddle_alloc(sizeof *o, runtime_kind);
  *o = (struct opened){.file = f, .flags = flags, .descriptors = 1};
  f->opens++;
  __heddle_opened[d] = o;
  __heddle_mark_for_exec(d, flags & O_CLOEXEC);
  return d;
}

int open(const char *name, int flags, ...) {
  __heddle_atomic_begin();
  int d = open_inside(name, flags);
  __heddle_atomic_end();
  return d < 0 ? error(-d) : d;
}
int creat(const char *name, mode_t mode) { return open(name, O_CREAT | O_WRONLY | O_TRUNC, mode); }

int close(int descriptor) {
  if (descriptor >= 0 && descriptor <= 2) return 0;
  __heddle_atomic_begin();
  struct opened *o = __heddle_find_opened(descriptor);
  if (o) {
    __heddle_opened[descriptor] = 0;
    if (--o->descriptors == 0) {
      o->file->opens--;
      __heddle_drop_file(o->file);
      __heddle_free(o);
    }
  }
  __heddle_atomic_end();
  return o ? 0 : error(EBADF);
}

ssize_t __heddle_read(int descriptor, void *bytes, size_t length) {
  __heddle_atomic_begin();
  ssize_t got = -1;
  struct opened *o = __heddle_find_opened(descriptor);
  if (descriptor == 0) {
    size_t rest = __heddle_stdin_size - stdin_position;
    got = (ssize_t)(length < rest ? length : rest);
    memcpy(bytes, __heddle_stdin_bytes + stdin_position, (size_t)got);
    stdin_position += (size_t)got;
  } else if (o && (o->flags & O_ACCMODE) != O_WRONLY) {
    size_t rest = o->position < o->file->size ? o->file->size - o->position : 0;
    got = (ssize_t)(length < rest ? length : rest);
    if (got) memcpy(bytes, o->file->bytes + o->position, (size_t)got);
    o->position += (size_t)got;
  }
  __heddle_atomic_end();
  return got < 0 ? error(EBADF) : got;
}

ssize_t __heddle_write(int descriptor, const void *bytes, size_t length) {
  if (descriptor == 1 || descriptor == 2) {
    if (length) __heddle_output(descriptor, bytes, length);
    return (ssize_t)length;
  }
  __heddle_atomic_begin();
  struct opened *o = __heddle_find_opened(descriptor);
  if (o && (o->flags & O_ACCMODE) == O_RDONLY) o = 0;
  if (o && !o->file->discards) {
    if (o->flags & O_APPEND) o->position = o->file->size;
    if (o->position + length > o->file->size) __heddle_fit(o->file, o->position + length);
    if (length) memcpy(o->file->bytes + o->position, bytes, length);
    o->position += length;
  }
  __heddle_atomic_end();
  return o ? (ssize_t)length : error(EBADF);
}

ssize_t read(int descriptor, void *bytes, size_t length) { return __heddle_read(descriptor, bytes, length); }
ssize_t write(int descriptor, const void *bytes, size_t length) { return __heddle_write(descriptor, bytes, length); }

ssize_t readv(int descriptor, const struct iovec *parts, int count) {
  ssize_t sum = 0;
  for (int i = 0; i < count; i++) {
    ssize_t got = __heddle_read(descriptor, parts[i].iov_base, parts[i].iov_len);
    if (got < 0) return sum ? sum : got;
    sum += got;
    if ((size_t)got < parts[i].iov_len) break;
  }
  return sum;
}
ssize_t writev(int descriptor, const struct iovec *parts, int count) {
  ssize_t sum = 0;
  for (int i = 0; i < count; i++) {
    ssize_t put = __heddle_write(descriptor, parts[i].iov_base, parts[i].iov_len);
    if (put < 0) return sum ? sum : put;
    sum += put;
  }
  return sum;
}

off_t lseek(int descriptor, off_t offset, int whence) {
  if (descriptor >= 0 && descriptor <= 2) return error(ESPIPE);
  __heddle_atomic_begin();
  struct opened *o = __heddle_find_opened(descriptor);
  off_t position = -1;
  if (o && (unsigned)whence <= SEEK_END) {
    off_t base = whence == SEEK_SET ? 0 : (off_t)(whence == SEEK_CUR ? o->position : o->file->size);
    position = o->file->discards ? 0 : base + offset;
    if (position >= 0) o->position = (size_t)position;
  }
  __heddle_atomic_end();
  return position >= 0 ? position : error(o ? EINVAL : EBADF);
}

int isatty(int descriptor) {
  (void)descriptor;
  return error(ENOTTY), 0;
}
