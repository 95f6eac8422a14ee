// SPDX-License-Identifier: Apache-2.0
#include "graph/psc.h"

namespace heddle::graph {

bool Psc::acyclic(const Graph& g) {
  g_ = &g;
  nodes_.clear();
  bool fences = false;
  // Nothing settled is on a cycle (graph.h).
  for (EventId e = g.settled; e < g.size(); ++e)
    if (is_sc(g[e])) {
      nodes_.push_back(e);
      fences |= is_fence(e);
    }
  if (nodes_.size() < 2) return true;
  words_ = (nodes_.size() + 63) / 64;
  rows_.assign(nodes_.size() * words_, 0);
  find_positions();
  find_elsewhere();
  if (fences) {
    add_base_through_fences();
    add_fences();
  } else {
    add_base();
  }
  return rows_acyclic();
}

void Psc::find_positions() {
  const Graph& g = *g_;
  position_.assign(static_cast<std::size_t>(g.size()), 0);
  for (const LocState& l : g.locs) {
    std::uint32_t at = 1;
    for (EventId w = l.initial_next; w != no_event; w = g[w].co_next) position_[static_cast<std::size_t>(w)] = at++;
  }
  for (EventId e = g.settled; e < g.size(); ++e)
    if (g[e].kind == EventKind::Read)
      position_[static_cast<std::size_t>(e)] = g[e].rf >= 0 ? position_[static_cast<std::size_t>(g[e].rf)] : 0;
}

void Psc::find_elsewhere() {
  const Graph& g = *g_;
  next_elsewhere_.assign(static_cast<std::size_t>(g.size()), no_event);
  last_elsewhere_.assign(static_cast<std::size_t>(g.size()), no_event);
  const auto named = [&](EventId e) {  // e, or the last before it that the model knows of
    while (e != no_event && is_silent(g[e])) e = g[e].po_prev;
    return e;
  };
  // A thread begins and ends with an event at no location, for which its creation and its join stand.
  for (EventId e = g.settled; e < g.size(); ++e) {
    if (g[e].kind != EventKind::Join) continue;
    const EventId last = named(g.threads[static_cast<ThreadId>(g[e].value.bits)].last);
    if (last >= g.settled) next_elsewhere_[static_cast<std::size_t>(last)] = e;
  }
  for (EventId e = g.size() - 1; e >= g.settled; --e) {
    const EventId p = is_silent(g[e]) ? no_event : named(g[e].po_prev);
    if (p == no_event) continue;
    // Walking backwards: all later events of the thread have been handed to their predecessors already.
    next_elsewhere_[static_cast<std::size_t>(p)] = !same_loc(p, e) ? e : next_elsewhere_[static_cast<std::size_t>(e)];
  }
  for (EventId e = g.settled; e < g.size(); ++e) {
    if (is_silent(g[e])) continue;
    const EventId p = named(g[e].po_prev);
    EventId& last = last_elsewhere_[static_cast<std::size_t>(e)];
    if (p == no_event) last = g.threads[g[e].thread].created_by;
    else last = !same_loc(p, e) ? p : last_elsewhere_[static_cast<std::size_t>(p)];
  }
}

bool Psc::eco(EventId a, EventId b) const {
  if (!same_loc(a, b) || a == b) return false;
  const Graph& g = *g_;
  if (g[a].kind == EventKind::Write && g[b].kind == EventKind::Read) return position(a) <= position(b);
  return position(a) < position(b);
}

bool Psc::scb(EventId a, EventId b) const {
  const Graph& g = *g_;
  if (a == b) return false;
  if (g[a].thread == g[b].thread && g[a].index < g[b].index) return true;
  if (same_loc(a, b)) {
    if (hb(a, b)) return true;
    if (g[b].kind == EventKind::Write && position(a) < position(b)) return true;  // mo, rb
  }
  const EventId c = next_elsewhere_[static_cast<std::size_t>(a)], d = last_elsewhere_[static_cast<std::size_t>(b)];
  return c != no_event && d != no_event && (c == d || hb(c, d));
}

void Psc::add_base() {
  for (std::size_t i = 0; i < nodes_.size(); ++i)
    for (std::size_t j = 0; j < nodes_.size(); ++j)
      if (scb(nodes_[i], nodes_[j])) connect(i, j);
}

void Psc::add_base_through_fences() {
  const Graph& g = *g_;
  begins_.assign(static_cast<std::size_t>(g.size()) * words_, 0);
  ends_.assign(begins_.size(), 0);
  const auto row = [&](std::vector<std::uint64_t>& v, EventId e) { return &v[static_cast<std::size_t>(e) * words_]; };
  const auto add = [&](std::vector<std::uint64_t>& v, EventId e, std::size_t i) {
    row(v, e)[i / 64] |= std::uint64_t{1} << (i % 64);
  };
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    add(begins_, nodes_[i], i);
    add(ends_, nodes_[i], i);
    if (!is_fence(nodes_[i])) continue;
    for (EventId e = g.settled; e < g.size(); ++e) {
      if (hb(nodes_[i], e)) add(begins_, e, i);
      if (hb(e, nodes_[i])) add(ends_, e, i);
    }
  }
  const auto any = [&](std::vector<std::uint64_t>& v, EventId e) {
    for (std::size_t w = 0; w < words_; ++w)
      if (row(v, e)[w]) return true;
    return false;
  };
  const auto connect_all = [&](const std::uint64_t* from, const std::uint64_t* to) {
    for (std::size_t w = 0; w < words_; ++w)
      for (std::uint64_t bits = from[w]; bits; bits &= bits - 1) {
        const std::size_t i = w * 64 + static_cast<std::size_t>(__builtin_ctzll(bits));
        for (std::size_t v = 0; v < words_; ++v) rows_[i * words_ + v] |= to[v];
      }
  };
  for (EventId a = g.settled; a < g.size(); ++a) {
    if (!any(begins_, a)) continue;
    for (EventId b = g.settled; b < g.size(); ++b)
      if (any(ends_, b) && scb(a, b)) connect_all(row(begins_, a), row(ends_, b));
  }
}

// hb, and hb; eco; hb between fences.
void Psc::add_fences() {
  const Graph& g = *g_;
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!is_fence(nodes_[i])) continue;
    for (std::size_t j = 0; j < nodes_.size(); ++j)
      if (is_fence(nodes_[j]) && hb(nodes_[i], nodes_[j])) connect(i, j);
    for (EventId a = g.settled; a < g.size(); ++a) {
      if (!is_access(a) || !hb(nodes_[i], a)) continue;
      for (EventId b = g.settled; b < g.size(); ++b) {
        if (!eco(a, b)) continue;
        for (std::size_t j = 0; j < nodes_.size(); ++j)
          if (is_fence(nodes_[j]) && hb(b, nodes_[j])) connect(i, j);
      }
    }
  }
}

// Takes away nodes without predecessors until none is left, or none can be.
bool Psc::rows_acyclic() {
  const std::size_t k = nodes_.size();
  taken_.assign(k, 0);
  for (std::size_t left = k; left > 0;) {
    bool progress = false;
    for (std::size_t j = 0; j < k; ++j) {
      if (taken_[j]) continue;
      bool has_predecessor = false;
      for (std::size_t i = 0; i < k && !has_predecessor; ++i)
        has_predecessor = !taken_[i] && ((rows_[i * words_ + j / 64] >> (j % 64)) & 1);
      if (has_predecessor) continue;
      taken_[j] = 1;
      --left;
      progress = true;
    }
    if (!progress) return false;
  }
  return true;
}

}  // namespace heddle::graph
