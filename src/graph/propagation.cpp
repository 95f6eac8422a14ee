// Hot: bench/graph_bench.cpp watches it.
// SPDX-License-Identifier: Apache-2.0
#include "graph/propagation.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace heddle::graph {

void Propagation::options(Graph& g, EventId e, EventId revisited, std::vector<EventId>& out) {
  if (tables().has_pieces()) return Axiomatic::options(g, e, revisited, out);
  if (revisited != no_event) appended(g, revisited);
  const ThreadId t = g[e].thread;
  const ThreadId t2 = revisited == no_event ? t : g[revisited].thread;
  const std::size_t first = out.size();
  unsigned forbidden = 0;
  for (EventId w = g.locs[g[e].loc].tail;; w = g[w].co_prev) {
    out.push_back(w);
    if (w < g.settled || seen_by(g, w, t, t2) || known_before_either(g, w, e, revisited)) break;
    if (forbidden == 0) forbidden = search(g, e);
    if (reached(w, forbidden)) break;
  }
  if (revisited == no_event || out.size() == first + 1) return;
  forbidden = search(g, revisited);
  for (std::size_t i = first; i + 1 < out.size(); ++i)
    if (reached(out[i], forbidden)) out.resize(i + 1);
}

bool Propagation::consistent(Graph& g, EventId e, EventId revisited) {
  if (tables().has_pieces()) return Axiomatic::consistent(g, e, revisited);
  if (g[e].kind == EventKind::Write) {
    for (EventId r = g[e].readers; r != no_event; r = g[r].next_reader)
      if (g[r].promised) return judge(g);
    if (g[e].co_next != no_event && reservations_out_of_order(g, e)) return false;
    if (revisited == no_event) return g[e].co_next == no_event || !cycle_through(g, e);
    return g[e].co_next == no_event || (!cycle_through(g, e) && !cycle_through(g, revisited));
  }
  // options() knew all edges but for those that a read has only now that it is known what it sees.
  return g.co_next(g[e].rf) == no_event || !cycle_through(g, e);
}

// With e before a by creation or join there would be a closed walk: from (a, Tail) to (e, Tail), Com or Fenced.
bool Propagation::is_ordered(Graph& g, EventId a, EventId e) {
  if (tables().has_pieces()) return Axiomatic::is_ordered(g, a, e);
  // Both may be in a phase that has been settled since.
  const EventId from = g[std::max(a, e)].settled;
  if (std::min(a, e) < from) return a < e;
  if (created_or_joined_between(g, a, e)) return true;
  if (!searched(e, from)) {
    begin(g, from);
    push(g, e, Com | Fenced);
    run(g);
  }
  return reached(a, Tail);
}

unsigned Propagation::search(const Graph& g, EventId e) {
  begin(g, g.settled);
  const bool write = g[e].kind == EventKind::Write;
  push(g, e, write ? Coh : Tail | Late);
  run(g);
  return write ? Coh : Com | Seen;
}

// Requires e, or the write that it reads, to have a successor in coherence.
bool Propagation::cycle_through(const Graph& g, EventId e) {
  const unsigned forbidden = search(g, e);
  for (EventId w = g.co_next(g.write_of(e)); w != no_event; w = g[w].co_next)
    if (reached(w, forbidden)) return true;
  return false;
}

// A cycle of coherence and of program order between the writes of read-modify-writes, through w.
bool Propagation::reservations_out_of_order(const Graph& g, EventId w) {
  begin(g, g.settled);
  stack_.clear();
  const auto add = [&](EventId e) {
    if (e < settled_ || mark_[static_cast<std::size_t>(e)] >> 8 == epoch_) return;
    mark_[static_cast<std::size_t>(e)] = epoch_ << 8;
    stack_.push_back(e);
  };
  add(w);
  while (!stack_.empty()) {
    const EventId e = stack_.back();
    stack_.pop_back();
    if (e != w && g[e].co_prev == w) return true;
    add(g[e].co_prev);
    if (!g[e].rmw) continue;
    EventId p = g[e].po_prev;
    while (p >= settled_ && !(g[p].kind == EventKind::Write && g[p].rmw)) p = g[p].po_prev;
    add(p);
  }
  return false;
}

// Requires the last search to be at its end.
void Propagation::begin(const Graph& g, EventId settled) {
  settled_ = settled;
  if (mark_.size() < g.events.size()) {
    waiting_.resize(g.events.size() / 32 + 1);
    mark_.resize(64 * waiting_.size());
    fresh_.resize(mark_.size());
  }
  if (++epoch_ == 1U << 24) {
    std::fill(mark_.begin(), mark_.end(), 0);
    epoch_ = 1;
  }
}

// With what turns into these states by itself.
void Propagation::push(const Graph& g, EventId e, unsigned states) {
  if (e < settled_) return;
  if ((states & Com) != 0) states |= g[e].kind == EventKind::Write ? Tail | Coh : Tail;
  if ((states & Coh) != 0) states |= Tail | Weak;
  std::uint32_t& m = mark_[static_cast<std::size_t>(e)];
  if (m >> 8 != epoch_) m = epoch_ << 8;
  states &= ~m;
  if (states == 0) return;
  m |= states;
  const auto at = static_cast<std::size_t>(e), word = at / 64;
  fresh_[at] = static_cast<std::uint8_t>(fresh_[at] | states);
  waiting_[word] |= std::uint64_t{1} << at % 64;
  last_waiting_ = std::max(last_waiting_, word + 1);
}

void Propagation::run(const Graph& g) {
  while (last_waiting_ > 0) {
    std::uint64_t& word = waiting_[last_waiting_ - 1];
    if (word == 0) {
      --last_waiting_;
      continue;
    }
    const auto bit = static_cast<unsigned>(std::bit_width(word)) - 1;
    word &= ~(std::uint64_t{1} << bit);
    const std::size_t at = 64 * (last_waiting_ - 1) + bit;
    expand(g, static_cast<EventId>(at), std::exchange(fresh_[at], std::uint8_t{0}));
  }
}

// What e follows in its own thread, and by creation and join: which the first event of a thread does, and so all.
template <class F>
void Propagation::each_local(const Graph& g, EventId id, std::span<const std::uint32_t> distances, F&& f) {
  EventId p = id;
  std::uint32_t at = 0;
  for (const std::uint32_t d : distances) {
    for (; at < d; ++at) p = g[p].po_prev;
    f(p);
  }
  const Event& e = g[id];
  if (e.kind == EventKind::Join)
    for (EventId c = g.threads[static_cast<ThreadId>(e.value.bits)].last; c >= settled_; c = g[c].po_prev) f(c);
}

// Backward: what leads to e in these states.
void Propagation::expand(const Graph& g, EventId id, unsigned states) {
  const Event& e = g[id];
  const LocalOrder::Preceding kept = local().all_preceding(g, id);
  const EventId creation = kept.local.empty() ? g.threads[e.thread].created_by : no_event;
  const unsigned by_hb = states & (Tail | Fenced | Weak | Late);
  const unsigned by_fence = ((states & Fenced) != 0 ? Com : 0U) | (states & Weak) | ((states & Late) != 0 ? Seen : 0U);
  const unsigned by_strong = (states & Tail) != 0 ? Fenced | Com : 0U;
  const auto push_fenced = [&](EventId p) {
    const unsigned weak = g[p].kind == EventKind::Write ? Coh : g[p].kind == EventKind::Read ? Read : 0U;
    push(g, p, (by_fence & (Com | Seen)) | ((by_fence & Weak) != 0 ? weak : 0U));
  };
  if (by_hb != 0) each_local(g, id, kept.local, [&](EventId p) { push(g, p, by_hb); });
  if (by_fence != 0) each_local(g, id, kept.fenced, push_fenced);
  if (by_strong != 0) each_local(g, id, kept.strong, [&](EventId p) { push(g, p, by_strong); });
  if (creation >= settled_) {
    push(g, creation, by_hb | by_strong);
    if (by_fence != 0) push_fenced(creation);
  }
  if (e.kind == EventKind::Read && e.rf >= 0) {
    unsigned by_rf = states & Com;
    if (g[e.rf].thread != e.thread) by_rf |= by_hb | (states & Seen) | ((states & Read) != 0 ? Coh : 0U);
    if (by_rf != 0) push(g, e.rf, by_rf);
  } else if (e.kind == EventKind::Write && e.co_prev != no_event) {
    if ((states & (Com | Coh)) != 0) push(g, e.co_prev, states & (Com | Coh));
    if ((states & Com) == 0) return;
    for (EventId r = g.readers(e.co_prev); r != no_event; r = g[r].next_reader) push(g, r, Com);
  }
}

}  // namespace heddle::graph
