// Models with load buffering, where they have no incremental check of their own (accesses of several pieces): coherence
// gives the options, and the axioms judge the whole graph when an event comes that closes a cycle of po ∪ rf ∪ co ∪ fr.
//
// Where it closes none, nothing has to be judged: every axiom but atomicity (which the places in coherence keep) forbids
// cycles of relations that are made of po, rf, co and fr, all followed forwards, so a violation that was not there before
// is such a cycle through a new event. In particular executions of sequential consistency are never judged.
//
// The graph's hb clocks hold, for all models with load buffering, what precedes an event whatever the model: program
// order up to a release (a release write, or any write behind a seq_cst fence), from there to an acquire of another
// thread (an acquire read, or any read before a seq_cst fence) by reads-from and read-modify-writes, from there program
// order again; and creation and join. Within a thread these are pairs that no mapping of C11 to a machine gives up
// (axioms/mapping.h), so the relation is part of what orders events under every model. An event's clock follows from its
// porf prefix alone: a promised read adds nothing, even when its write has come. Most questions for the order of an
// access and a free, and for the latest write that an event may not overtake, are answered by them without a search.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "axioms/models.h"
#include "graph/consistency.h"

namespace heddle::graph {

class Axiomatic : public Consistency {
 public:
  Axiomatic(const axioms::Model& m, const Tables& t) : model_(m), tables_(t) {}

  bool with_hb() const override { return true; }
  void appended(Graph& g, EventId e) override { g.reset_hb(e); }
  void options(Graph&, EventId e, EventId revisited, std::vector<EventId>& out) override;
  void linked(Graph&, EventId) override;
  bool consistent(Graph&, EventId e, EventId revisited) override;
  bool is_ordered(Graph& g, EventId a, EventId e) override;
  bool whole(const Graph&) override;
  void must_precede(const Graph&, EventId w, std::vector<std::uint8_t>& marked) override;
  void must_precede_in_thread(const Graph&, EventId w, std::vector<std::uint8_t>& marked) override;
  bool load_buffering() const override { return true; }
  bool overtakes_addresses() const override { return model_.overtakes_addresses; }

 protected:
  // What the clocks know need not be searched for.
  bool known_before_either(const Graph& g, EventId w, EventId e, EventId revisited) const {
    return known_before(g, w, e) || (revisited != no_event && known_before(g, w, revisited));
  }
  static bool created_or_joined_between(const Graph&, EventId a, EventId e);
  const axioms::Model& model() const { return model_; }
  const Tables& tables() const { return tables_; }
  bool judge(const Graph&);

 private:
  static bool has_edges_out(const Graph&, EventId e);
  // Does the read acquire, whatever it reads? A compare-exchange may fail.
  bool acquires(const Event& q) const {
    return is_acquire(q.mixed ? common_order(tables_.step(q.before).request) : q.order);
  }
  // Marks what w, whatever kind of event it is, can never overtake by dependencies, full fences, acquire, release and
  // external reads-from; of what is older than `from`, which precedes everything, nothing. Writes that have reached a
  // thread before a release of that thread are marked `first_by_fence`.
  static constexpr std::uint8_t comes_first = 1, first_by_fence = 2;
  enum class Through : std::uint8_t { AllThreads, OneThread };
  void precede_by_order(const Graph&, EventId w, EventId from, std::vector<std::uint8_t>& marked,
                        Through through = Through::AllThreads);
  void precede_at_location(const Graph&, EventId w, std::vector<std::uint8_t>& marked);

  const axioms::Model& model_;
  const Tables& tables_;
  BackwardReach reach_;
  std::vector<EventId> stack_;
  // Of a thread: the accesses with smaller indices are marked, and marked `first_by_fence`. Scratch of precede_by_order.
  struct Marked {
    std::uint32_t at_all = 0, by_fence = 0;
  };
  std::vector<Marked> marked_below_;
  std::vector<std::uint8_t> preceding_;  // scratch of options and ordered
  std::vector<std::uint8_t> coherent_;   // scratch of must_precede
};

}  // namespace heddle::graph
