// what    one thread uses printf, snprintf, qsort, strtol, setjmp, files and atexit
// why     the C library is real and runs under the checker as anywhere
// expect  sc,tso,pso,lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static jmp_buf back;
static int compare(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
static void last(void) { puts("the end"); }
static void jump(void) { longjmp(back, 7); }

int main(void) {
  atexit(last);
  int numbers[] = {3, 1, 2};
  qsort(numbers, 3, sizeof *numbers, compare);
  assert(numbers[0] == 1 && numbers[2] == 3);
  char text[40];
  snprintf(text, sizeof text, "%d %s %.2f %x", 42, "x", 1.5, 255);
  assert(strcmp(text, "42 x 1.50 ff") == 0);
  assert(strtol("123", 0, 10) == 123);
  int value = setjmp(back);
  if (value == 0) jump();
  assert(value == 7);
  FILE *file = fopen("note", "w+");
  fprintf(file, "%d\n", 5);
  rewind(file);
  int read = 0;
  assert(fscanf(file, "%d", &read) == 1 && read == 5);
  fclose(file);
  printf("hello %s\n", "world");
  return 0;
}
