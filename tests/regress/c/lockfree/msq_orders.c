// what    the Michael-Scott queue, E||D;E;E;D;D, under the models that only axioms have
// why     a half of a counted pointer is stored where whole ones are exchanged; graphs refused that
// options -D TEST=1
// because All five barriers are there, but the exchange of the last node's link and that of the tail behind it are relaxed, and
//         nothing orders them: who sees the new tail may not see the link. Buffers perform exchanges at once.
// expect  ra holds
// expect  rmo,armv8,riscv,power violated kind assertion
// expect  rc11 violated kind assertion
// with    -D ORDER=seq_cst
// expect  ra,rc11,armv8,riscv,power holds
// expect  rmo unknown reason under rmo later writes overtake stores whose addresses are not known yet
// SPDX-License-Identifier: Apache-2.0
#include "../../../../examples/msq.c"
