// Which engines answer for a C program under each model: graphs first, which settle programs that end by far the
// fastest; explicit states where a model has only a machine, where an option or property needs them, and after graphs
// have given up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "cli/checker.h"
#include "cli/turns.h"

namespace heddle::cli {

// Options and properties of the user's that only one engine has; empty: none.
struct Needs {
  std::string graphs, states;
  bool races =
      false;  // happens-before: of models given by axioms only rc11 has one; machines follow it along every run
};

struct Route {
  std::string model;
  bool graphs = false, states = false;  // the engines that are tried, graphs first
  bool puts_off = false;                // the model puts loads off: it runs on the program with pending loads
  std::vector<std::string> notes;       // for its verdict
};

// One route a model, in order. Of a ladder only those models are kept that the engines asked for have, with a note that
// says which were left; a model that was named and cannot be had is a mistake.
support::Result<std::vector<Route>> choose_engines(const CheckRequest&, const Needs&);

// Runs the engines of a route. `several`: the budget is the model's share of the whole time.
core::Verdict follow(const Route&, const Attempt& graphs, const Attempt& states, core::Budget&, bool several);

}  // namespace heddle::cli
