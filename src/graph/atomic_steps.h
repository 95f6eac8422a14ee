// Atomic steps: several accesses of one thread that act as one (requests with `joined` set; sections of the runtime
// library, atomic blocks of modelling languages).
//
// The exploration adds their accesses one by one. Whether they act as one in some run with the graph is judged when the
// graph is finished (and at failures): with every step contracted to a single node, a step that no path of
// po ∪ rf ∪ co ∪ fr leads back to can be drawn together under any model. Where such a path exists, sc forbids it; models
// with one global order of events are asked again with that order instead of po ∪ rf; of the others the axioms are
// asked, with every step as one event (axioms::Execution::steps).
//
// No cycle leaves a phase (graph.h), so only events of the last one are looked at. Most graphs need no more than a look:
// a path can lead back to a step only across an edge from a younger to an older event. If the events of each step were
// added one after the other, and no such edge passes over a step, all of them hold.
//
// One thing is judged at once: a read that waits inside a step, for a value that the step has read before, reads from the
// same write or the graph is dropped (`torn`). No execution is lost. An execution in which the step acts as one has no
// torn read, nor has any of its prefixes; and the revisits that lead to it delete the step as a whole or from the earlier
// access on, whose write was the co-maximal one then (graph/revisits.h), as it was for the read: the step's events are
// added one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "axioms/models.h"
#include "graph/graph.h"

namespace heddle::graph {

// A graph with every atomic step as one node, and the edges of the graph between the nodes. Nodes are numbered by their
// first event, counted from `from`.
class ContractedGraph {
 public:
  enum class Edges : std::uint8_t { Program, Preserved };  // of program order; preserved: external rf only

  void build(const Graph&, Edges, EventId from);
  EventId from() const { return from_; }
  std::size_t node(EventId e) const { return node_[static_cast<std::size_t>(e - from_)]; }
  std::size_t events() const { return node_.size(); }
  const std::vector<std::size_t>& steps() const { return steps_; }  // nodes of more than one access
  bool reaches(std::size_t begin, std::size_t end);                 // by at least one edge
  bool is_last(std::size_t node) const { return first_[node] == none; }
  bool acyclic();

 private:
  struct Edge {
    std::uint32_t to, next;
  };
  void number(const Graph&);
  void connect(const Graph&, Edges, EventId e);
  void add(EventId a, EventId b);

  EventId from_ = 0;
  std::vector<std::size_t> node_, steps_;
  std::vector<std::uint32_t> first_;  // of each node: its first edge
  std::vector<Edge> edges_;
  std::vector<std::uint32_t> degree_;  // scratch of acyclic
  std::vector<std::size_t> stack_;     // scratch
  std::vector<std::uint8_t> seen_;     // scratch of reaches
};

class AtomicSteps {
 public:
  AtomicSteps(const Tables& tables, const axioms::Model& model) : tables_(tables), model_(model) {}

  // Does every step act as one in some run with this graph? Requires an execution of the model otherwise.
  bool hold(const Graph&);
  // Is there a run with this graph, under sc, in which `first` comes before `second`?
  bool may_precede(const Graph&, EventId first, EventId second);
  // Is r a read inside a step that waits and sees another write than the step's last access to its location did?
  bool torn(const Graph&, EventId r) const;
  // Is the thread between two accesses of a step?
  bool inside(const Graph& g, ThreadId t) const {
    const ThreadState& s = g.threads[t];
    return s.alive && s.last != no_event && tables_.step(s.state).request.joined;
  }
  // Does anything come after a step that has not ended, of another thread than `but`? What acts as one has not happened
  // then. Nothing is lost with such a graph: the one in which the step comes last is an execution as well. (Not so if the
  // step has come to an exit, which is reported: Exploration::finish.)
  bool unfinished_precedes(const Graph&, ThreadId but);

 private:
  bool undisturbed(const Graph&) const;

  const Tables& tables_;
  const axioms::Model& model_;
  ContractedGraph full_, preserved_;
  std::vector<std::size_t> doubtful_;
};

}  // namespace heddle::graph
