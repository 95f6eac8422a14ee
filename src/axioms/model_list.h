// The models' functions, one per file, for the table in models.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axioms/models.h"

namespace heddle::axioms {

template <unsigned W>
bool sc(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool tso(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool pso(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool nsw(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool rmo(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool ra(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool rc11(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool rc20(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool armv8(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool riscv(const Execution<W>&, Judge<W>&);
template <unsigned W>
bool power(const Execution<W>&, Judge<W>&);

// What these keep in order within threads (Model::local, fenced, strong).
template <unsigned W>
Relation<W> rmo_local(const Execution<W>&);
template <unsigned W>
Relation<W> armv8_local(const Execution<W>&);
template <unsigned W>
Relation<W> riscv_local(const Execution<W>&);
template <unsigned W>
Relation<W> power_local(const Execution<W>&);
template <unsigned W>
Relation<W> power_fenced(const Execution<W>&);
template <unsigned W>
Relation<W> power_strong(const Execution<W>&);

}  // namespace heddle::axioms

// Every model is compiled for the widths that Model has.
#define HEDDLE_FOR_ALL_WIDTHS(model)                         \
  template bool model<1>(const Execution<1>&, Judge<1>&);    \
  template bool model<4>(const Execution<4>&, Judge<4>&);    \
  template bool model<16>(const Execution<16>&, Judge<16>&); \
  template bool model<64>(const Execution<64>&, Judge<64>&);
#define HEDDLE_LOCAL_FOR_ALL_WIDTHS(local)               \
  template Relation<1> local<1>(const Execution<1>&);    \
  template Relation<4> local<4>(const Execution<4>&);    \
  template Relation<16> local<16>(const Execution<16>&); \
  template Relation<64> local<64>(const Execution<64>&);
