// Litmus tests as a user asks for them: one cycle by its edges, or all cycles up to a size. In an edge `*` stands for R or
// W, as in diy: "Pod**" is four edges.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "lang/litmus/generate.h"
#include "support/diagnostics.h"

namespace heddle::lang::litmus {

struct FamilyRequest {
  std::vector<std::string> edges;  // of the cycle; with `size`, the edges to choose from (none: the usual ones)
  std::string dialect;
  std::string name;   // of a single test; empty: the usual one
  unsigned size = 0;  // all cycles of up to so many edges; 0: the one cycle that `edges` are
};

// The tests, each with a name of its own.
support::Result<std::vector<Generated>> generate_family(const FamilyRequest&);

}  // namespace heddle::lang::litmus
