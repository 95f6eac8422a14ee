// The models' functions, one a file, for the table in models.cpp.
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

}  // namespace heddle::axioms

// Every model is compiled for the widths that Model has.
#define HEDDLE_FOR_ALL_WIDTHS(model)                         \
  template bool model<1>(const Execution<1>&, Judge<1>&);    \
  template bool model<4>(const Execution<4>&, Judge<4>&);    \
  template bool model<16>(const Execution<16>&, Judge<16>&); \
  template bool model<64>(const Execution<64>&, Judge<64>&);
