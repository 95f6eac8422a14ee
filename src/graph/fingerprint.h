// A number for an execution that does not depend on the order in which its events were added.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "graph/graph.h"

namespace heddle::graph {

struct Fingerprint {
  std::uint64_t low = 0, high = 0;
  friend auto operator<=>(const Fingerprint&, const Fingerprint&) = default;
};

Fingerprint fingerprint(const Graph&);

}  // namespace heddle::graph
