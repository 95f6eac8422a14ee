/* Formatting, scanning, the console, in-memory files.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <float.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "check.h"

static const char *f(const char *format, ...) {
  static char buffer[512];
  va_list a;
  va_start(a, format);
  vsnprintf(buffer, sizeof buffer, format, a);
  va_end(a);
  return buffer;
}
#define SAME(text, ...) do { if (strcmp(f(__VA_ARGS__), text)) { printf("%d: [%s] is not [%s]\n", __LINE__, f(__VA_ARGS__), text); exit(1); } } while (0)

int main(void) {
  SAME("42 -7 +3  5|5    |0005", "%d %i %+d % d|%-5d|%04d", 42, -7, 3, 5, 5, 5);
  SAME("ff FF 0xff 377 0377", "%x %X %#x %o %#o", 255, 255, 255, 255, 255);
  SAME("18446744073709551615 -9223372036854775808", "%lu %ld", ULONG_MAX, LONG_MIN);
  SAME("1.500000 1.50 2 1e+10 1.234e-05", "%f %.2f %.0f %g %g", 1.5, 1.5, 1.5, 1e10, 1.234e-5);
  SAME("0.1000000000000000055511151231257827", "%.34f", 0.1);
  SAME("1.7976931348623157e+308 inf -inf nan 0x1.8p+1", "%.17g %f %f %f %a", DBL_MAX, 1 / 0.0, -1 / 0.0, 0 / 0.0 * -1 < 0 ? 1.0 : __builtin_nan(""), 3.0);
  SAME("[abc] [  abc] [abc  ] [ab] x %", "[%s] [%5s] [%-5s] [%.2s] %c %%", "abc", "abc", "abc", "abc", 'x');
  SAME("7 255 99 3 0x10", "%hhd %hhu %zu %jd %p", 7, 255, (size_t)99, (intmax_t)3, (void *)16);
  SAME("b a 007", "%2$s %1$s %3$03d", "a", "b", 7);
  SAME("1.5", "%Lg", 1.5L);
  char small[4];
  CHECK(snprintf(small, sizeof small, "%d", 123456) == 6 && strcmp(small, "123") == 0);
  char *made;
  CHECK(asprintf(&made, "%s-%d", "n", 5) == 3 && strcmp(made, "n-5") == 0);
  free(made);

  int a, b, n;
  char word[16], c;
  double d;
  CHECK(sscanf("12 0x1f hello 2.5 z", "%d %i %15s %lf %c%n", &a, &b, word, &d, &c, &n) == 5);
  CHECK(a == 12 && b == 31 && strcmp(word, "hello") == 0 && d == 2.5 && c == 'z' && n == 19);
  CHECK(sscanf("k=v", "%[a-z]=%c", word, &c) == 2 && c == 'v' && sscanf("x", "%d", &a) == 0);

  FILE *file = fopen("notes.txt", "w+");
  CHECK(file && fprintf(file, "line %d\n", 1) == 7 && fputs("second\n", file) >= 0 && putc('3', file) == '3');
  CHECK(ftell(file) == 15 && fseek(file, 0, SEEK_SET) == 0);
  char line[32];
  CHECK(fgets(line, sizeof line, file) && strcmp(line, "line 1\n") == 0 && fgets(line, sizeof line, file));
  CHECK(getc(file) == '3' && getc(file) == EOF && feof(file));
  CHECK(fclose(file) == 0 && !fopen("missing", "r") && errno == ENOENT);
  file = fopen("notes.txt", "a");
  for (int i = 0; i < 1000; i++) fprintf(file, "%04d\n", i);
  fclose(file);
  struct stat s;
  CHECK(stat("notes.txt", &s) == 0 && s.st_size == 5015);
  file = fopen("notes.txt", "r");
  fseek(file, 15 + 5 * 500, SEEK_SET);
  CHECK(fscanf(file, "%d", &a) == 1 && a == 500 && ungetc('q', file) == 'q' && getc(file) == 'q');
  char *got = 0;
  size_t room = 0;
  CHECK(getline(&got, &room, file) == 1 && getline(&got, &room, file) == 5 && strcmp(got, "0501\n") == 0);
  free(got);
  static char all[6000];
  rewind(file);
  CHECK(fread(all, 1, sizeof all, file) == 5015 && memcmp(all + 5010, "0999\n", 5) == 0);
  fclose(file);
  CHECK(rename("notes.txt", "other.txt") == 0 && access("notes.txt", F_OK) < 0 && access("other.txt", R_OK) == 0);
  int fd = open("other.txt", O_RDWR);
  CHECK(fd >= 3 && lseek(fd, 5, SEEK_SET) == 5 && read(fd, line, 2) == 2 && line[0] == '1');
  CHECK((fcntl(fd, F_GETFL) & O_ACCMODE) == O_RDWR && fcntl(fd, F_GETFD) == 0);
  CHECK(fcntl(fd, F_SETFD, FD_CLOEXEC) == 0 && fcntl(fd, F_GETFD) == FD_CLOEXEC);
  CHECK(fcntl(fd, F_SETFL, O_APPEND) == 0 && (fcntl(fd, F_GETFL) & (O_ACCMODE | O_APPEND)) == (O_RDWR | O_APPEND));
  int copy = fcntl(fd, F_DUPFD, fd + 7);
  CHECK(fcntl(copy, F_GETFD) == 0 && copy >= fd + 7 && lseek(copy, 0, SEEK_CUR) == 7 && close(copy) == 0 && fcntl(copy, F_GETFL) < 0 && errno == EBADF);
  CHECK(fcntl(fd, F_DUPFD, -1) < 0 && errno == EINVAL);
  CHECK(ftruncate(fd, 3) == 0 && lseek(fd, 0, SEEK_END) == 3 && close(fd) == 0 && close(fd) < 0);
  CHECK(remove("other.txt") == 0 && remove("other.txt") < 0 && errno == ENOENT);
  CHECK(access("/dev/null", W_OK) == 0 && stat("/dev/null", &s) == 0 && S_ISCHR(s.st_mode));
  fd = open("/dev/null", O_RDWR | O_CLOEXEC);
  CHECK(fcntl(fd, F_GETFD) == FD_CLOEXEC && lseek(fd, 5, SEEK_SET) == 0);
  CHECK(fd >= 3 && write(fd, "lost", 4) == 4 && lseek(fd, 0, SEEK_SET) == 0 && read(fd, line, 4) == 0 && close(fd) == 0);
  file = tmpfile();
  CHECK(file && fwrite("abc", 1, 3, file) == 3 && fflush(0) == 0);
  fclose(file);
  file = fmemopen(line, sizeof line, "w");
  fprintf(file, "in memory");
  fclose(file);
  CHECK(strcmp(line, "in memory") == 0);

  struct tm tm;
  time_t t = 86400 * 365;
  CHECK(gmtime_r(&t, &tm) && tm.tm_year == 71 && strftime(line, sizeof line, "%Y-%m-%d", &tm) && strcmp(line, "1971-01-01") == 0);
  CHECK(time(0) == time(0) && mktime(localtime(&t)) == t);
  CHECK(getchar() == EOF);
  printf("%s", "");
  printf("%s%s\n", "out", "put");
  fprintf(stdout, "%600d|\n", 1);
  fputs("ok\n", stdout);
  errno = ENOENT;
  perror("perror");
  CHECK(fflush(stdout) == 0 && !ferror(stdout));
  return 0;
}
