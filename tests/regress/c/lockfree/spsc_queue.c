// what    a lock-free queue for one producer and one consumer
// why     DIVINE's fifo (safe under sc and tso); it needs release stores where stores are reordered
// expect  sc,tso,pso,lmo holds
// with    -D PUBLISH=relaxed
// expect  sc,tso holds
// expect  pso,lmo violated
// with    -D FREE=relaxed
// expect  sc,tso,pso holds
// expect  lmo violated
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/spsc_queue.c"
