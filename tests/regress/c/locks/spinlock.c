// what    a test-and-set lock around a counter
// why     the release of a lock must not pass what it guards
// because Two executions: either thread locks first.
// expect  sc,tso,pso holds executions 2
// expect  lmo holds
// with    -D UNLOCK=relaxed
// expect  sc,tso holds executions 2
// expect  pso,lmo violated
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/spinlock.c"
