// What compilers make of C11 accesses on machines whose models do not take C11's orders as they are: the usual mapping
// tables (Sewell et al., "C/C++11 mappings to processors"; RISC-V unprivileged specification, table A.6).
// tso, pso, nsw, rmo and armv8 read the orders themselves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axioms/models.h"
#include "lang/litmus/test.h"

namespace heddle::lang::litmus {

enum class Target : std::uint8_t { AsWritten, Power, RiscV };

Target target_of(Dialect, const axioms::Model*);

// The test with every access and fence replaced by what is emitted for it.
Test lower(const Test&, Target);

}  // namespace heddle::lang::litmus
