/* Calls on the names and properties of in-memory files.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include "files.h"

static int result(int error) {
  if (!error) return 0;
  errno = error;
  return -1;
}

static int unlink_inside(const char *name) {
  struct file *f = __heddle_find_file(name);
  if (!f) return ENOENT;
  struct file **at = &__heddle_files;
  while (*at != f) at = &(*at)->next;
  *at = f->next;
  __heddle_free(f->name);
  f->name = 0;
  __heddle_drop_file(f);
  return 0;
}

int unlink(const char *name) {
  __heddle_atomic_begin();
  int error = unlink_inside(name);
  __heddle_atomic_end();
  return result(error);
}
int remove(const char *name) { return unlink(name); }

int rename(const char *from, const char *to) {
  __heddle_atomic_begin();
  struct file *f = __heddle_find_file(from);
  if (f && strcmp(from, to)) {
    unlink_inside(to);
    size_t length = strlen(to) + 1;
    struct file **at = &__heddle_files;
    while (*at != f) at = &(*at)->next;
    *at = f->next;
    __heddle_free(f->name);
    f->name = memcpy(__heddle_alloc(length, runtime_kind), to, length);
    at = &__heddle_files;
    while (*at && strcmp((*at)->name, to) < 0) at = &(*at)->next;
    f->next = *at;
    *at = f;
  }
  __heddle_atomic_end();
  return result(f ? 0 : ENOENT);
}

int access(const char *name, int mode) {
  __heddle_atomic_begin();
  struct file *f = __heddle_find_file(name);
  __heddle_atomic_end();
  return result(!f ? ENOENT : mode & X_OK ? EACCES : 0);
}

int ftruncate(int descriptor, off_t size) {
  if (size < 0) return result(EINVAL);
  __heddle_atomic_begin();
  struct opened *o = __heddle_find_opened(descriptor);
  int error = !o ? EBADF : o->file->discards ? EINVAL : 0;
  if (!error) __heddle_fit(o->file, (size_t)size);
  __heddle_atomic_end();
  return result(error);
}

static void describe(const struct file *f, struct stat *s) {
  memset(s, 0, sizeof *s);
  s->st_mode = !f ? S_IFCHR | 0620 : f->discards ? S_IFCHR | 0666 : S_IFREG | 0644;
  s->st_size = f ? (off_t)f->size : 0;
  s->st_nlink = 1;
  s->st_blksize = 4096;
}
int stat(const char *restrict name, struct stat *restrict s) {
  __heddle_atomic_begin();
  struct file *f = __heddle_find_file(name);
  if (f) describe(f, s);
  __heddle_atomic_end();
  return result(f ? 0 : ENOENT);
}
int lstat(const char *restrict name, struct stat *restrict s) { return stat(name, s); }
int fstat(int descriptor, struct stat *s) {
  if (descriptor >= 0 && descriptor <= 2) return describe(0, s), 0;
  __heddle_atomic_begin();
  struct opened *o = __heddle_find_opened(descriptor);
  if (o) describe(o->file, s);
  __heddle_atomic_end();
  return result(o ? 0 : EBADF);
}

int dup(int descriptor) {
  if (descriptor >= 0 && descriptor <= 2) __heddle_unsupported("dup of a standard stream");
  __heddle_atomic_begin();
  struct opened *o = __heddle_find_opened(descriptor);
  int d = o ? __heddle_lowest_descriptor(0) : -1;
  if (d >= 0) {
    o->descriptors++;
    __heddle_opened[d] = o;
    __heddle_mark_for_exec(d, 0);
  }
  __heddle_atomic_end();
  return d >= 0 ? d : result(o ? EMFILE : EBADF);
}

/* Locks of files, owners and signals are refused by name. */
int fcntl(int descriptor, int command, ...) {
  enum { settable = O_APPEND | O_NONBLOCK | O_ASYNC | O_DIRECT | O_NOATIME };
  if (command != F_GETFL && command != F_SETFL && command != F_GETFD && command != F_SETFD && command != F_DUPFD &&
      command != F_DUPFD_CLOEXEC)
    __heddle_unsupported("fcntl with another command than F_GETFL, F_SETFL, F_GETFD, F_SETFD and F_DUPFD");
  if (descriptor >= 0 && descriptor <= 2) __heddle_unsupported("fcntl of a standard stream");
  int argument = 0, got = 0, error = 0;
  if (command != F_GETFL && command != F_GETFD) {
    va_list rest;
    va_start(rest, command);
    argument = va_arg(rest, int);
    va_end(rest);
  }
  __heddle_atomic_begin();
  struct opened *o = __heddle_find_opened(descriptor);
  if (!o) {
    error = EBADF;
  } else if (command == F_GETFL) {
    got = o->flags & (O_ACCMODE | settable);
  } else if (command == F_SETFL) {
    o->flags = (o->flags & ~settable) | (argument & settable);
  } else if (command == F_DUPFD || command == F_DUPFD_CLOEXEC) {
    if (argument < 0 || argument >= max_descriptors)
      error = EINVAL;
    else if ((got = __heddle_lowest_descriptor(argument)) < 0)
      error = EMFILE;
    else
      __heddle_opened[got] = o, o->descriptors++, __heddle_mark_for_exec(got, command == F_DUPFD_CLOEXEC);
  } else if (command == F_GETFD) {
    got = __heddle_closed_by_exec >> descriptor & 1 ? FD_CLOEXEC : 0;
  } else {
    __heddle_mark_for_exec(descriptor, argument & FD_CLOEXEC);
  }
  __heddle_atomic_end();
  return error ? result(error) : got;
}

int fsync(int descriptor) {
  if (descriptor >= 0 && descriptor <= 2) return 0;
  __heddle_atomic_begin();
  struct opened *o = __heddle_find_opened(descriptor);
  __heddle_atomic_end();
  return result(o ? 0 : EBADF);
}
int fdatasync(int descriptor) { return fsync(descriptor); }

/* Names are numbered, not random: executions must be reproducible. */
int mkstemp(char *pattern) {
  size_t length = strlen(pattern);
  if (length < 6 || strcmp(pattern + length - 6, "XXXXXX")) return result(EINVAL);
  for (int i = 0; i < 1000000; i++) {
    snprintf(pattern + length - 6, 7, "%06d", i);
    int d = open(pattern, O_RDWR | O_CREAT | O_EXCL, 0600);
    if (d >= 0 || errno != EEXIST) return d;
  }
  return result(EEXIST);
}
