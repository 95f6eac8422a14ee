// SPDX-License-Identifier: Apache-2.0
#include "graph/atomic_steps.h"

#include <algorithm>
#include <utility>

#include "graph/consistency.h"
#include "graph/to_execution.h"

namespace heddle::graph {

void ContractedGraph::build(const Graph& g, Edges edges, EventId from) {
  from_ = from;
  steps_.clear();
  edges_.clear();
  const auto n = static_cast<std::size_t>(g.size() - from);
  node_.resize(n);
  first_.assign(n, none);
  number(g);
  for (EventId e = from; e < g.size(); ++e) connect(g, edges, e);
}

void ContractedGraph::number(const Graph& g) {
  for (EventId e = from_; e < g.size(); ++e) {
    const Event& v = g[e];
    const std::size_t here =
        v.continues_step() && v.po_prev >= from_ ? node(v.po_prev) : static_cast<std::size_t>(e - from_);
    node_[static_cast<std::size_t>(e - from_)] = here;
    if (v.joined && (steps_.empty() || steps_.back() != here)) steps_.push_back(here);
  }
}

void ContractedGraph::add(EventId a, EventId b) {
  if (a < from_ || node(a) == node(b)) return;
  edges_.push_back({static_cast<std::uint32_t>(node(b)), first_[node(a)]});
  first_[node(a)] = static_cast<std::uint32_t>(edges_.size() - 1);
}

void ContractedGraph::connect(const Graph& g, Edges edges, EventId e) {
  const Event& v = g[e];
  const bool preserved = edges == Edges::Preserved;
  if (preserved) {
    const std::size_t end = e + 1 < g.size() ? g[e + 1].ppo_begin : g.ppo.size();
    for (std::size_t i = v.ppo_begin; i < end; ++i) add(g.ppo[i], e);
  } else {
    add(v.po_prev != no_event ? v.po_prev : g.threads[v.thread].created_by, e);
  }
  if (v.kind == EventKind::Read && v.rf >= 0 && !(preserved && g[v.rf].thread == v.thread)) add(v.rf, e);
  if (v.kind == EventKind::Join)
    for (EventId last = g.threads[static_cast<ThreadId>(v.value.bits)].last; last >= from_; last = g[last].po_prev) {
      add(last, e);
      if (!preserved) break;  // the others come before it in program order
    }
  if (v.kind == EventKind::Write && v.co_prev != no_event) {
    add(v.co_prev, e);
    for (EventId r = g.readers(v.co_prev); r != no_event; r = g[r].next_reader) add(r, e);
  }
}

bool ContractedGraph::reaches(std::size_t begin, std::size_t end) {
  seen_.assign(node_.size(), 0);
  stack_.assign(1, begin);
  while (!stack_.empty()) {
    const std::size_t n = stack_.back();
    stack_.pop_back();
    for (std::uint32_t i = first_[n]; i != none; i = edges_[i].next) {
      const std::size_t to = edges_[i].to;
      if (to == end) return true;
      if (seen_[to]) continue;
      seen_[to] = 1;
      stack_.push_back(to);
    }
  }
  return false;
}

// Takes away nodes without incoming edges until none is left, or none can be.
bool ContractedGraph::acyclic() {
  degree_.assign(node_.size(), 0);
  for (const Edge& e : edges_) ++degree_[e.to];
  stack_.clear();
  for (std::size_t n = 0; n < degree_.size(); ++n)
    if (degree_[n] == 0) stack_.push_back(n);
  std::size_t left = node_.size();
  while (!stack_.empty()) {
    const std::size_t n = stack_.back();
    stack_.pop_back();
    --left;
    for (std::uint32_t i = first_[n]; i != none; i = edges_[i].next)
      if (--degree_[edges_[i].to] == 0) stack_.push_back(edges_[i].to);
  }
  return left == 0;
}

bool AtomicSteps::undisturbed(const Graph& g) const {
  EventId low = g.size(), high = no_event;  // of all edges from younger to older events
  const auto edge = [&](EventId from, EventId to) {
    if (from <= to) return;
    low = std::min(low, to);
    high = std::max(high, from);
  };
  for (EventId e = g.settled; e < g.size(); ++e) {
    const Event& v = g[e];
    if (v.joined && v.po_prev != e - 1) return false;
    // A contracted access is as good as an edge back to its beginning.
    if ((v.piece > 0 || (v.rmw && v.kind == EventKind::Write)) && v.po_prev != e - 1) edge(e, v.po_prev);
    if (v.kind == EventKind::Read) {
      if (v.rf >= 0) edge(v.rf, e);
    } else if (v.kind == EventKind::Write && v.co_prev != no_event) {
      edge(v.co_prev, e);
      for (EventId r = g.readers(v.co_prev); r != no_event; r = g[r].next_reader) edge(r, e);
    }
  }
  if (high == no_event) return true;
  // Such an edge may end in the middle of a step's last access (at the write of an atomic instruction, at a piece), or
  // begin in the middle of its first one.
  const auto goes_on = [&](EventId e) { return !g[e].joined && g[e].continues_step(); };
  EventId first = std::max(low, g.settled), last = std::min(high + 1, g.size() - 1);
  while (first > g.settled && goes_on(first)) --first;
  while (last + 1 < g.size() && goes_on(last)) ++last;
  for (EventId e = first; e <= last; ++e)
    if (g[e].joined) return false;
  return true;
}

bool AtomicSteps::hold(const Graph& g) {
  if (undisturbed(g)) return true;
  full_.build(g, ContractedGraph::Edges::Program, g.settled);
  if (full_.steps().empty() || full_.acyclic()) return true;
  doubtful_.clear();
  for (const std::size_t s : full_.steps())
    if (full_.reaches(s, s)) doubtful_.push_back(s);
  if (doubtful_.empty()) return true;
  if (model_.global_order == axioms::GlobalOrder::Program) return false;
  if (g.ppo.empty()) {
    const auto yes = accepted(g, tables_, model_, Steps::AsOne);
    return !tables_.drops().at(core::DropPlace::GraphSteps, !yes, model_.name) && *yes;
  }
  preserved_.build(g, ContractedGraph::Edges::Preserved, g.settled);
  return std::ranges::none_of(doubtful_, [&](std::size_t s) { return preserved_.reaches(s, s); });
}

bool AtomicSteps::unfinished_precedes(const Graph& g, ThreadId but) {
  if (!tables_.has_atomic_steps()) return false;
  bool built = false;
  for (ThreadId t = 0; t < g.threads.size(); ++t) {
    const EventId last = g.threads[t].last;
    if (t == but || !inside(g, t) || last < g.settled) continue;
    if (!std::exchange(built, true)) full_.build(g, ContractedGraph::Edges::Program, g.settled);
    if (!full_.is_last(full_.node(last))) return true;
  }
  return false;
}

bool AtomicSteps::torn(const Graph& g, EventId r) const {
  const Event& e = g[r];
  if (!e.joined || !tables_.step(e.before).request.waits || e.promised) return false;
  for (EventId p = r; g[p].continues_step();) {
    p = g[p].po_prev;
    if (p == no_event) return false;
    if (g[p].loc != e.loc || g[p].promised) continue;
    if (g[p].kind == EventKind::Read || g[p].kind == EventKind::Write) return g.write_of(p) != e.rf;
  }
  return false;
}

bool AtomicSteps::may_precede(const Graph& g, EventId first, EventId second) {
  const EventId from = g[std::max(first, second)].settled;
  if (std::min(first, second) < from) return first < second;
  full_.build(g, ContractedGraph::Edges::Program, from);
  return !full_.reaches(full_.node(second), full_.node(first));
}

}  // namespace heddle::graph
