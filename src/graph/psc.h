// The sc axiom of RC11: psc = psc_base ∪ psc_fences is acyclic (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017,
// section 3.3), over the seq_cst events of a graph whose happens-before clocks are known.
//
//   scb        po ∪ po|≠loc ; hb ; po|≠loc ∪ hb|loc ∪ mo ∪ rb
//   psc_base   ([E_sc] ∪ [F_sc] ; hb?) ; scb ; ([E_sc] ∪ hb? ; [F_sc])
//   psc_fence  [F_sc] ; (hb ∪ hb ; eco ; hb) ; [F_sc]
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.h"

namespace heddle::graph {

class Psc {
 public:
  // `fences_only`: accesses are never seq_cst (model ra).
  explicit Psc(bool fences_only) : fences_only_(fences_only) {}
  bool acyclic(const Graph&);

 private:
  bool is_sc(const Event& e) const {
    return e.order == core::Order::SeqCst && !e.asleep && (!fences_only_ || e.kind == EventKind::Fence);
  }
  bool is_access(EventId e) const {
    const Event& v = (*g_)[e];
    return (v.kind == EventKind::Read && !v.asleep) || v.kind == EventKind::Write;
  }
  bool is_fence(EventId e) const { return (*g_)[e].kind == EventKind::Fence; }
  bool same_loc(EventId a, EventId b) const { return is_access(a) && is_access(b) && (*g_)[a].loc == (*g_)[b].loc; }
  std::uint32_t position(EventId e) const { return position_[static_cast<std::size_t>(e)]; }
  bool hb(EventId a, EventId b) const { return a != b && g_->in(a, g_->hb(b)); }
  bool eco(EventId a, EventId b) const;
  bool scb(EventId a, EventId b) const;

  void find_positions();
  void find_elsewhere();
  void connect(std::size_t i, std::size_t j) { rows_[i * words_ + j / 64] |= std::uint64_t{1} << (j % 64); }
  void add_base();
  void add_base_through_fences();
  void add_fences();
  bool rows_acyclic();

  const bool fences_only_;
  const Graph* g_ = nullptr;
  std::vector<EventId> nodes_;  // the seq_cst events
  std::size_t words_ = 0;       // of a row
  std::vector<std::uint64_t> rows_;
  std::vector<std::uint32_t> position_;  // in coherence; a read stands where its write does
  // The first event after, and the last before, of the same thread that is not an access to the same location; beyond
  // its ends, its join and its creation.
  std::vector<EventId> next_elsewhere_, last_elsewhere_;
  std::vector<std::uint64_t> begins_, ends_;  // of each event: the nodes i with i [E_sc] e or [F_sc] i hb? e; likewise
  std::vector<std::uint8_t> taken_;
};

}  // namespace heddle::graph
