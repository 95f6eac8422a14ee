// A part of the search tree, as decision numbers from the root: a worker that has nothing to do takes one from another.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

namespace heddle::graph {

// Everything below the decisions `path`, whose last number is the first of the options to take and `width` how many.
// An empty path: the whole tree.
struct Job {
  std::vector<std::uint32_t> path;
  std::uint32_t width = 0;
};

}  // namespace heddle::graph
