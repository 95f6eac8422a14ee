// Asks the axioms of a memory model whether a re-run execution graph is one of its executions. The relations are built
// from the witness and from what the program requested; dependencies are those that the re-run tracked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "check/graph_claims.h"

namespace heddle::check {

// What is changed before the axioms are asked. Events by their numbers in the witness.
struct Variation {
  std::vector<std::pair<std::size_t, std::size_t>> ordered;         // pairs that every model has to order
  std::vector<std::size_t> fences;                                  // a seq_cst fence stands directly before each
  std::vector<std::pair<std::size_t, core::Order>> strengthened{};  // accesses that have this order instead
};

struct Ruling {
  enum class Kind : std::uint8_t { Allowed, Forbidden, Unknown } kind = Kind::Allowed;
  std::string why;  // empty if it is allowed
};

// Does the model of the witness allow the execution, so changed?
Ruling ruling(const RunGraph&, const Variation& = {});

}  // namespace heddle::check
