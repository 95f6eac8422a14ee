// what    the Michael-Scott queue, E||(E;D;C);E;D;D: C claims a node for another data structure (LLMC thesis, 5.2.2.6)
// why     without the barrier E10 a node is appended to one that left the queue: a dequeue then tries for ever
// options -D TEST=4 --property livelock
// other   graph sc,tso,pso refuses does not look for livelocks
// expect  sc,tso,pso,lmo holds
// with    -D NO_E10
// expect  sc,tso,pso holds
// expect  lmo violated kind livelock
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/msq.c"
