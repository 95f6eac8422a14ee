// what    30,000 atomic increments by one thread
// why     an execution of 60,000 events is explored where no event is unordered
// options -p assertion --engine graph
// expect  sc,tso,pso,ra,rc11 holds executions 1
// SPDX-License-Identifier: Apache-2.0
#include <assert.h>
#include <stdatomic.h>

static atomic_int x;

int main(void) {
  for (int i = 0; i < 30000; i++) atomic_fetch_add_explicit(&x, 1, memory_order_relaxed);
  assert(atomic_load_explicit(&x, memory_order_relaxed) == 30000);
  return 0;
}
