// what    a load through a pointer that was itself just loaded (LLMC thesis, B.3)
// why     dependent loads are never reordered, whatever the fences
// because One thread runs after the initialisation: one execution.
// expect  sc,tso,pso holds executions 1
// expect  lmo,nsw holds
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>

int x, y;
int *p;

int llmc_init(void) {
  y = 1234;
  p = &y;
  return 0;
}
int llmc_proc_t0(void) {
  assert(*p == y);
  return 0;
}
int llmc_fini(void) { return 0; }
