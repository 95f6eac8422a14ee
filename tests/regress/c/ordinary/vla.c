// what    arrays of variable length, alloca, recursion
// why     stack objects of variable size come and go
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
#include <alloca.h>
#include <assert.h>
#include <string.h>
static int sum(int n, int m, int a[n][m]) { int s = 0; for (int i = 0; i < n; i++) for (int j = 0; j < m; j++) s += a[i][j]; return s; }
static int rec(int n) { int v[n + 1]; for (int i = 0; i <= n; i++) v[i] = i; return n ? v[n] + rec(n - 1) : 0; }
int main(void) {
  for (int n = 1; n < 5; n++) {
    int a[n][n + 1];
    for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) a[i][j] = i + j;
    int want = 0; for (int i = 0; i < n; i++) for (int j = 0; j <= n; j++) want += i + j;
    assert(sum(n, n + 1, a) == want && sizeof a == sizeof(int) * (size_t)(n * (n + 1)));
  }
  assert(rec(6) == 21);
  char *p = alloca(10); strcpy(p, "abc"); assert(p[2] == 'c');
  return 0;
}
