// A labelled graph for people: a small state space or a trace, and its drawing as DOT.
//
// state_graph() explores a transition system by itself, breadth first and without any engine, so that what is drawn
// does not depend on reduction, workers or search order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/trace.h"
#include "core/transition_system.h"

namespace heddle::report {

struct StateGraph {
  struct Node {
    std::string label;
    bool initial = false;
    bool bad = false;  // violates something
  };
  struct Edge {
    std::size_t from = 0, to = 0;
    std::string label;
    std::string style;  // of DOT: solid, dashed, bold …; empty: solid
  };
  std::vector<Node> nodes;
  std::vector<Edge> edges;
  bool complete = true;  // false: nodes or edges were left out

  std::size_t add_node(std::string label, bool initial = false, bool bad = false);
  void add_edge(std::size_t from, std::size_t to, std::string label, std::string style = {});
};

// A move from a state in words: who does what.
using MoveText = std::function<std::string(core::State, const core::Move&)>;

// Up to `limit` states of a system; `complete` says whether that was all. Labels are the system's show().
StateGraph state_graph(const core::TransitionSystem&, const MoveText&, std::size_t limit = 5000);

// A trace as a chain, with its loop if it has one.
StateGraph trace_graph(const core::Trace&);

std::string dot(const StateGraph&, const std::string& title);

}  // namespace heddle::report
