/* The in-memory files: a flat set of names, and descriptors from 3 on. Descriptors 0, 1 and 2 are the console and stay
 * so. Each operation is one atomic step.
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef HEDDLE_FILES_H
#define HEDDLE_FILES_H
#include <sys/types.h>
#include "internal.h"

struct file {
  struct file *next;
  char *name;  /* null once removed */
  char *bytes;
  size_t size, room;
  unsigned opens;
  _Bool discards; /* what is written: /dev/null, which is always there */
};
struct opened {
  struct file *file;
  size_t position;
  int flags;
  unsigned descriptors;
};
enum { max_descriptors = 64 };

extern struct file *__heddle_files;
extern struct opened *__heddle_opened[max_descriptors];
extern unsigned long __heddle_closed_by_exec; /* FD_CLOEXEC, a bit for each descriptor */

/* All inside an atomic section. */
struct file *__heddle_find_file(const char *name);
struct opened *__heddle_find_opened(int descriptor);
int __heddle_lowest_descriptor(int from);     /* that is free, from there on; -1 if there is none */
void __heddle_mark_for_exec(int descriptor, int closed);
void __heddle_drop_file(struct file *);
int __heddle_fit(struct file *, size_t size); /* makes room for and sets the size; new bytes are zero */

/* Reads and writes go through these, which know the console. Results as of read(2) and write(2). */
ssize_t __heddle_read(int descriptor, void *bytes, size_t length);
ssize_t __heddle_write(int descriptor, const void *bytes, size_t length);
#endif
