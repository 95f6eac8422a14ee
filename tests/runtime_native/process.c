/* Memory, jumps, ends of the program, choices.
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <malloc.h>
#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <heddle.h>
#include "check.h"
static jmp_buf back;
static int order;
static void last(void) { CHECK(order == 1); puts("ok"); }
static void before(void) { CHECK(order++ == 0); }
__attribute__((noinline)) static void deep(int n) { if (n == 0) longjmp(back, 5); deep(n - 1); }
int main(int argc, char **argv) {
  CHECK(argc == 1 && argv[0] && !argv[1]);
  volatile int turns = 0;
  int value = setjmp(back);
  if (value == 0) turns++, deep(10);
  CHECK(value == 5 && turns == 1);
  if (setjmp(back) == 0) longjmp(back, 0);
  char *p = malloc(10);
  memset(p, 'x', 10);
  CHECK(malloc_usable_size(p) == 10);
  char *q = realloc(p, 100);
  CHECK(q[0] == 'x' && q[9] == 'x' && realloc(0, 0));
  free(q);
  free(0);
  int *zero = calloc(10, sizeof *zero);
  for (int i = 0; i < 10; i++) CHECK(zero[i] == 0);
  free(zero);
  errno = 0;
  volatile size_t huge = SIZE_MAX; /* or the optimiser leaves the calls out */
  void *volatile none = calloc(huge / 2, 4);
  CHECK(!none && errno == ENOMEM);
  none = malloc(huge);
  CHECK(!none);
  none = reallocarray(0, huge, 2);
  CHECK(!none);
  void *aligned;
  CHECK(posix_memalign(&aligned, 64, 10) == 0 && aligned_alloc(16, 16) && posix_memalign(&aligned, 3, 1) == EINVAL);
  CHECK(heddle_choose(3) < 3 && heddle_choose(1) == 0 && heddle_opaque(77) == 77);
  heddle_assume(1);
  heddle_atomic_begin();
  heddle_atomic_end();
  __VERIFIER_assume(1);
  int expected = 0, desired = 4, cell = 0;
  CHECK(__atomic_compare_exchange_llmc(4, &cell, &expected, &desired, 0, 0) && cell == 4);
  assert(cell == 4);
  atexit(last);
  atexit(before);
  exit(0);
}
