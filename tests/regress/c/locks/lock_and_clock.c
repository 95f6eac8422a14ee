// what    Peterson's lock beside a thread that stores for ever
// why     no bound on buffers is enough for explicit states: the proof is one of buffer languages
// expect  tso,pso holds
// other   graph tso,pso unknown a thread goes on for too long
// with    -D NO_FENCE
// expect  tso,pso violated kind assertion
// other   graph tso,pso unknown a thread goes on for too long
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/lock_and_clock.c"
