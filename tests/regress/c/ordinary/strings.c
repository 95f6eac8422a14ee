// what    strings, formatted input and output, conversions
// why     ordinary code of the library must raise no alarm at any level of optimisation
// because One thread without choices has one execution.
// with    -O0
// expect  sc,tso holds executions 1
// with    -O1
// expect  sc,tso holds executions 1
// with    -O2
// expect  sc,tso holds executions 1
// with    -O3
// expect  sc,tso holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  char buf[64], *copy, *save, *tok;
  strcpy(buf, "alpha,beta;gamma");
  strcat(buf, ";delta");
  assert(strlen(buf) == 22);
  copy = strdup(buf);
  int n = 0;
  for (tok = strtok_r(copy, ",;", &save); tok; tok = strtok_r(0, ",;", &save)) n++;
  assert(n == 4);
  free(copy);
  char up[8] = "heddle";
  for (char *p = up; *p; p++) *p = (char)toupper((unsigned char)*p);
  assert(strcmp(up, "HEDDLE") == 0 && memcmp(up, "HED", 3) == 0);
  assert(strstr(buf, "gam") == buf + 11 && strchr(buf, 'b') == buf + 6 && strrchr(buf, 'a') == buf + 21);
  char num[32];
  snprintf(num, sizeof num, "%d %5.2f %s %x %c %lld", -12, 3.14159, "x", 255, 'q', 1234567890123LL);
  assert(strcmp(num, "-12  3.14 x ff q 1234567890123") == 0);
  int a; double d; char w[8];
  assert(sscanf("42 2.5 word", "%d %lf %7s", &a, &d, w) == 3 && a == 42 && d == 2.5 && !strcmp(w, "word"));
  assert(strtol("0x1f", 0, 0) == 31 && atoi("77") == 77 && strtod("1e3", 0) == 1000.0);
  memmove(buf + 2, buf, 5);
  assert(!strncmp(buf, "alalpha", 7));
  printf("%s %f\n", buf, 1.0 / 3);
  return 0;
}
