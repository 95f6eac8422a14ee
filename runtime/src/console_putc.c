/* Single characters, puts and perror.
 * SPDX-License-Identifier: Apache-2.0 */
#include <errno.h>
#include <string.h>
#include "console.h"
#undef putc_unlocked

static int put_unlocked(int character, FILE *f) {
  unsigned char c = (unsigned char)character;
  int number = console_number(f);
  if (!number) return c != f->lbf && f->wpos != f->wend ? (*f->wpos++ = c) : __overflow(f, c);
  __heddle_output(number, (const char *)&c, 1);
  return c;
}

static int put(int c, FILE *f) {
  int locked = console_number(f) ? CONSOLE_LOCK(f) : FFINALLOCK(f);
  int result = put_unlocked(c, f);
  console_unlock(f, locked);
  return result;
}

int putc(int c, FILE *f) { return put(c, f); }
int fputc(int c, FILE *f) { return put(c, f); }
int _IO_putc(int c, FILE *f) { return put(c, f); }
int putc_unlocked(int c, FILE *f) { return put_unlocked(c, f); }
int fputc_unlocked(int c, FILE *f) { return put_unlocked(c, f); }
int putchar(int c) { return put(c, &__stdout_FILE); }
int putchar_unlocked(int c) { return put_unlocked(c, &__stdout_FILE); }

int puts(const char *text) {
  size_t length = strlen(text);
  int locked = CONSOLE_LOCK(&__stdout_FILE);
  if (length) __heddle_output(1, text, length);
  __heddle_output(1, "\n", 1);
  console_unlock(&__stdout_FILE, locked);
  return 0;
}

void perror(const char *text) {
  const char *error = strerror(errno);
  if (text && *text) fprintf(&__stderr_FILE, "%s: %s\n", text, error);
  else fprintf(&__stderr_FILE, "%s\n", error);
}
