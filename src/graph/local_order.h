// What a model keeps in order within threads, event by event: for models whose axioms are made of relations between
// events of the same thread (axioms::Model::local; of power, `fenced` and `strong`, too) and of rfe, co and fr.
//
// The events of a thread that precede a new event in `local` depend on the thread's own run alone, and of that on no
// value: on the kinds, orders, locations and dependencies of its events, and on which of its reads see its own writes, or
// the same write as the read before. Each such run is a node of a tree, and the axioms are asked once per node, when the
// order is first needed: any run that differs in values only is a look-up. A node holds the distances, in program order,
// of the events that directly precede its event. The others follow by transitivity: `local` is the transitive closure of
// what is held, and a pair of `fenced` or `strong` is one that is held, followed by `local` or nothing.
//
// Creation and join are added to all three: everything before a creation precedes it, and a join precedes everything
// after it. (A thread's events all come after its creation and before its join: graph/ordered_before.cpp.)
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "axioms/models.h"
#include "graph/graph.h"

namespace heddle::graph {

template <unsigned W>
class ExecutionBuilder;

class LocalOrder {
 public:
  // Requires model.local.
  LocalOrder(const axioms::Model& model, const Tables& tables) : model_(model), tables_(tables) {}

  // The node of event e, whose predecessors of the same thread and phase have theirs in Event::local. `linked`: if e is
  // a read, it is known what it reads from.
  std::uint32_t node(const Graph&, EventId e, bool linked);
  // Distances of the events of the same thread and phase that directly precede e, ascending; valid until the next call.
  // Requires e to have its node.
  std::span<const std::uint32_t> preceding(const Graph& g, EventId e) { return all_preceding(g, e).local; }
  struct Preceding {
    std::span<const std::uint32_t> local, fenced, strong;  // the latter two are empty if the model does not have them
  };
  Preceding all_preceding(const Graph& g, EventId e) {
    if (nodes_[g[e].local].begin == none) find(g, e);
    const Node& n = nodes_[g[e].local];
    const std::uint32_t* first = distances_.data() + n.begin;
    return {{first, n.local}, {first + n.local, n.fenced}, {first + n.local + n.fenced, n.strong}};
  }

 private:
  struct Key {
    std::uint32_t parent;  // a node; of the first event of a thread in its phase: how many loads precede it
    std::uint32_t label;   // kind, orders, tag and flags
    std::uint32_t place;   // location, or the object that is freed
    std::uint32_t deps;    // Tables::deps_number
    std::uint32_t source;  // of a read, see source_of()
    friend bool operator==(const Key&, const Key&) = default;
  };
  struct Hash {
    std::size_t operator()(const Key&) const;
  };
  struct Node {
    Key key;
    bool linked = false;
    std::uint32_t begin = none, local = 0, fenced = 0, strong = 0;  // distances; none: not known yet
    std::uint32_t last_child = none;  // the node that was last looked for below this one: mostly it is the next, too
  };

  std::uint32_t label_of(const Event&) const;
  static std::uint32_t place_of(const Event&);
  std::uint32_t source_of(const Graph&, EventId e, bool linked) const;
  void find(const Graph&, EventId e);
  template <unsigned W>
  bool ask(const Graph&, EventId e);
  template <unsigned W>
  std::uint32_t hold(const Graph&, EventId e, const ExecutionBuilder<W>&, const axioms::Relation<W>& order,
                     const axioms::Relation<W>& local);

  const axioms::Model& model_;
  const Tables& tables_;
  std::unordered_map<Key, std::uint32_t, Hash> numbers_;
  std::vector<Node> nodes_;
  std::vector<std::uint32_t> distances_;
};

}  // namespace heddle::graph
