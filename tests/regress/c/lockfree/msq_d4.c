// what    the Michael-Scott queue, E;D||(E;D;D;E) (LLMC thesis, section 5.2.2.6)
// why     the barrier D4 is needed under lmo, none under tso
// options -D TEST=2
// expect  sc,tso,pso,lmo,nsw holds
// with    -D NO_D4
// expect  sc,tso holds
// expect  pso holds
// expect  lmo,nsw violated
// with    -D NO_E5 -D NO_E10 -D NO_D4 -D NO_D6 -D NO_D8
// expect  tso holds
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/msq.c"
