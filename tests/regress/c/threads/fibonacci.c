// what    recursive Fibonacci numbers (LLMC thesis, C.3)
// why     deep stacks must not cost memory; one thread, no shared access
// because One thread without choices has one execution.
// with    -D N=1
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// with    -D N=20
// expect  sc,tso,pso holds executions 1
// expect  lmo holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

static int fibonacci(int n) { return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2); }

int main(void) {
  assert(fibonacci(N) == (N == 1 ? 1 : 6765));
  return 0;
}
