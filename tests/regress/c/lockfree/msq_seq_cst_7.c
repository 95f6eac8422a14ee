// what    the Michael-Scott queue with sequentially consistent atomics only, E||D
// why     orders alone do what the barriers do; the same program has known numbers of executions
// options -D TEST=7 -D ORDER=seq_cst -D WHOLE_WORDS
// expect  sc,tso,pso,nsw,ra,rmo,rc11,armv8,riscv,power holds
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/msq.c"
