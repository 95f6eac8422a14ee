// what    two threads that hand a token to each other for ever
// why     graphs of executions have no end here: explicit states take over where there is a machine, and a bound is named elsewhere
// with
// other   graph sc unknown a thread goes on for too long
// expect  sc holds
// with    --loop-bound 3
// expect  sc,rc11,armv8,power holds up-to loop 3
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/token.c"
