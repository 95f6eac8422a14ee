// what    the Michael-Scott queue, E||D;E;E;D;D (LLMC thesis, section 5.2.2.6)
// why     each of the barriers E5 and D6 is needed under lmo, none under tso
// options -D TEST=1
// expect  sc,tso,pso,lmo,nsw holds
// with    -D NO_E5
// expect  sc,tso holds
// expect  pso,lmo,nsw violated
// with    -D NO_D6
// expect  sc,tso holds
// expect  pso holds
// expect  lmo,nsw violated
// with    -D NO_E5 -D NO_E10 -D NO_D4 -D NO_D6 -D NO_D8
// expect  tso holds
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/msq.c"
