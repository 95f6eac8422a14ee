/* string, ctype, stdlib conversions, sorting, searching, multibyte.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <search.h>
#include <stdint.h>
#include <string.h>
#include <wchar.h>
#include <regex.h>
#include "check.h"

static int by_value(const void *a, const void *b) { return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b); }

int main(void) {
  char text[64] = "hello";
  CHECK(strlen(text) == 5 && strcmp(text, "hello") == 0 && strncmp(text, "help", 3) == 0 && strcmp(text, "help") < 0);
  strcat(text, ", world");
  CHECK(strcmp(text, "hello, world") == 0 && strstr(text, "wor") == text + 7 && strchr(text, 'o') == text + 4);
  CHECK(strrchr(text, 'o') == text + 8 && strspn(text, "ehl") == 4 && strcspn(text, " ,") == 5 && !strchr(text, 'z'));
  CHECK(memchr(text, 'w', 12) == text + 7 && memcmp(text, "hellp", 5) < 0 && memmem(text, 12, "o, w", 4) == text + 4);
  memmove(text + 2, text, 6);
  CHECK(memcmp(text, "hehello,", 8) == 0);
  char *rest, line[] = "a b,c";
  CHECK(strcmp(strtok_r(line, " ,", &rest), "a") == 0 && strcmp(strtok_r(0, " ,", &rest), "b") == 0);
  CHECK(strcmp(strtok_r(0, " ,", &rest), "c") == 0 && !strtok_r(0, " ,", &rest));
  char *copy = strdup("copied");
  CHECK(strcmp(copy, "copied") == 0);
  free(copy);
  CHECK(stpcpy(text, "xyz") == text + 3 && strnlen("abcdef", 3) == 3 && strcasecmp("ABC", "abc") == 0);
  CHECK(isalpha('a') && !isalpha('1') && toupper('q') == 'Q' && isspace('\t') && isxdigit('F') && ispunct('!'));

  CHECK(atoi("-42") == -42 && strtol("0x1fz", &rest, 0) == 31 && *rest == 'z' && strtoul("777", 0, 8) == 511);
  errno = 0;
  CHECK(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
  CHECK(strtod("1.5e3x", &rest) == 1500.0 && *rest == 'x' && isinf(strtod("inf", 0)) && isnan(strtod("nan", 0)));
  CHECK(strtod("0x1.8p1", 0) == 3.0 && strtod("4.9e-324", 0) > 0);
  CHECK(abs(-3) == 3 && labs(-3L) == 3 && div(7, 2).rem == 1 && strcmp(strerror(ENOENT), "No such file or directory") == 0);

  int numbers[50];
  unsigned seed = 1;
  for (int i = 0; i < 50; i++) numbers[i] = (int)((seed = seed * 1103515245 + 12345) >> 16) % 1000;
  qsort(numbers, 50, sizeof *numbers, by_value);
  for (int i = 1; i < 50; i++) CHECK(numbers[i - 1] <= numbers[i]);
  int key = numbers[17];
  CHECK(*(int *)bsearch(&key, numbers, 50, sizeof *numbers, by_value) == key);
  key = -1;
  CHECK(!bsearch(&key, numbers, 50, sizeof *numbers, by_value));
  void *root = 0;
  for (int i = 0; i < 20; i++) tsearch(&numbers[i], &root, by_value);
  CHECK(**(int **)tfind(&numbers[5], &root, by_value) == numbers[5]);
  for (int i = 0; i < 20; i++) tdelete(&numbers[i], &root, by_value);
  CHECK(!root);

  CHECK(setlocale(LC_ALL, "C.UTF-8"));
  wchar_t wide[8];
  CHECK(mbstowcs(wide, "a\xc3\xa4z", 8) == 3 && wide[1] == 0xe4 && wcslen(wide) == 3);
  CHECK(wcstombs(text, wide, sizeof text) == 4);

  regex_t r;
  regmatch_t m[2];
  CHECK(regcomp(&r, "b(c*)d", REG_EXTENDED) == 0 && regexec(&r, "abccd", 2, m, 0) == 0 && m[1].rm_so == 2 && m[1].rm_eo == 4);
  regfree(&r);
  CHECK(getenv("NOTHING") == 0 && setenv("A", "b", 1) == 0 && strcmp(getenv("A"), "b") == 0 && unsetenv("A") == 0 && !getenv("A"));
  puts("ok");
  return 0;
}
