// what    files in memory, time, rand, stderr
// why     the library keeps state of its own
// with    -O0
// expect  sc,tso holds
// with    -O1
// expect  sc,tso holds
// with    -O2
// expect  sc,tso holds
// with    -O3
// expect  sc,tso holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
int main(void) {
  FILE *f = fopen("a.txt", "w"); assert(f); fprintf(f, "%d %s\n", 12, "line"); fputs("second\n", f); fclose(f);
  f = fopen("a.txt", "r"); char l[32]; int n; char w[8];
  assert(fscanf(f, "%d %7s", &n, w) == 2 && n == 12 && !strcmp(w, "line")); fgets(l, sizeof l, f); assert(fgets(l, sizeof l, f) && !strcmp(l, "second\n")); assert(!fgets(l, sizeof l, f)); fclose(f);
  errno = 0; assert(!fopen("none", "r") && errno == ENOENT);
  time_t t = time(0); struct tm *tm = gmtime(&t); assert(tm); char d[32]; strftime(d, sizeof d, "%Y", tm);
  srand(1); int r = rand(); assert(r >= 0);
  assert(getenv("HEDDLE_NONE") == 0);
  char *big = malloc(1000); memset(big, 'a', 999); big[999] = 0; assert(strlen(big) == 999); free(big);
  f = fopen("a.txt", "r"); setbuf(f, NULL);  // seeking from here, the library calculates with addresses as numbers
  assert(fread(l, 1, 4, f) == 4 && fseek(f, -2, SEEK_CUR) == 0 && fgetc(f) == ' '); fclose(f);
  fprintf(stderr, "done\n");
  return 0;
}
