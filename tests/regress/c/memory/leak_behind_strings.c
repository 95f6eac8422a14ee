// what    a leak behind a bounded search for the end of a string, which does not find it
// why     the library made a number of an address there, after which leaks are not looked for
// because The block is lost when its only pointer is overwritten.
// assumes nothing
// expect  sc,armv8,rc11 violated kind memory-leak
// SPDX-License-Identifier: Apache-2.0
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void) {
  const char text[] = "hello";
  char *volatile lost = strndup(text, 4), part[8];
  snprintf(part, sizeof part, "%.3s", text);
  if (strlen(part) + wcsnlen(L"text", 3) == 6) lost = 0;
}
