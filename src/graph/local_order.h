// What a model keeps in order within threads, event by event: for models whose consistency is coherence, atomicity and
// one acyclic relation local ∪ rfe ∪ co ∪ fr, where `local` relates events of the same thread only
// (axioms::Model::local: rmo, armv8, riscv).
//
// The events of a thread that precede a new event in `local` depend on the thread's own run alone: its requests,
// dependencies and fences, and which of its reads see its own writes, or the same write as the read before. Each such
// run is a node of a tree, and the axioms are asked once per node, when the order is first needed: exploring the run
// again is a look-up. A node holds the distances, in program order, of the events that directly precede its event; the
// others follow by transitivity.
//
// Creation and join are added to `local`: everything before a creation precedes it, and a join precedes everything after
// it. (A thread's events all come after its creation and before its join: graph/ordered_before.cpp.)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "axioms/models.h"
#include "graph/graph.h"

namespace heddle::graph {

class LocalOrder {
 public:
  // Requires model.local.
  LocalOrder(const axioms::Model& model, const Tables& tables) : model_(model), tables_(tables) {}

  // The node of event e, whose predecessors of the same thread and phase have theirs in Event::local. `linked`: if e is
  // a read, it is known what it reads from.
  std::uint32_t node(const Graph&, EventId e, bool linked);
  // Distances of the preceding events of the same thread and phase, ascending. Requires e to have its node.
  std::span<const std::uint32_t> preceding(const Graph& g, EventId e) {
    if (nodes_[g[e].local].begin == none) find(g, e);
    const Node& n = nodes_[g[e].local];
    return {distances_.data() + n.begin, n.count};
  }

 private:
  struct Key {
    std::uint32_t parent;  // a node; of the first event of a thread in its phase: its index
    std::uint32_t label;   // kind, order and flags; of a first event its thread as well
    StateId before, after;
    std::uint32_t source;  // of a read, see source_of()
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key&) const;
  };
  struct Node {
    std::uint32_t begin = none, count = 0;  // of its distances; none: not known yet
    bool linked = false;
  };

  std::uint32_t source_of(const Graph&, EventId e, bool linked) const;
  void find(const Graph&, EventId e);
  template <unsigned W>
  bool ask(const Graph&, EventId e);

  const axioms::Model& model_;
  const Tables& tables_;
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> distances_;
};

}  // namespace heddle::graph
