// what    a test-and-set lock around a counter
// why     the release of a lock must not pass what it guards
// expect  sc,tso,pso,lmo holds
// with    -D UNLOCK=relaxed
// expect  sc,tso holds
// expect  pso,lmo violated
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/spinlock.c"
