// SPDX-License-Identifier: Apache-2.0
#include "graph/promises.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "graph/pieces.h"

namespace heddle::graph {

Promise Promises::of(const Graph& g, EventId w) const {
  const Event& e = g[w];
  Promise p{e.thread, e.place, tables_.location(e.loc).loc, e.value, {}, {}, {}};
  if (e.pieces == 1) return p;
  p.whole = tables_.step(e.before).request.loc;
  p.whole_value = value_written(g, tables_, w);
  return p;
}

bool Promises::add(const Event& r, const Promise& p) {
  if (adds_ == Adds::AtOnce) {
    const bool changed = book_.add(read(r), p);
    changes_ += changed;
    return changed;
  }
  if (book_.knows(read(r), p)) return false;
  // The same promise is found again and again in a round: one that rests on no less than another says nothing.
  const auto says_no_less = [&, key = read(r)](const auto& f) {
    return f.first == key && f.second.same_place(p) && f.second.same_contents(p) &&
           std::includes(p.basis.begin(), p.basis.end(), f.second.basis.begin(), f.second.basis.end());
  };
  if (!std::ranges::none_of(found_, says_no_less)) return false;
  found_.emplace_back(read(r), p);
  return true;
}

bool Promises::end_round(const Twins& twins) {
  for (const auto& [r, p] : found_) changes_ += book_.add(r, p);
  found_.clear();
  if (std::exchange(promise_to_all_, false)) book_.promise_to_all();
  for (const ThreadId t : shifts_) changes_ += book_.note_shifts(t);
  shifts_.clear();
  if (std::exchange(all_shift_, false)) changes_ += book_.note_all_shift();
  changes_ += book_.close_under(twins);
  return std::exchange(changes_, 0) > 0;
}

// The event was added; if it is not the last one, it was there, and a revisit has changed it.
void Promises::notice(Graph& g, EventId id) {
  if (adds_ == Adds::Never || id < g.settled || id + 1 != g.size()) return;
  const Event& e = g[id];
  if (shifts_places(tables_, e) && !book_.shifts(e.thread)) {
    if (adds_ == Adds::AtOnce) changes_ += book_.note_shifts(e.thread);
    else if (std::ranges::find(shifts_, e.thread) == shifts_.end()) shifts_.push_back(e.thread);
  }
  const HiddenLoads::What behind = hidden_.behind(g, id);
  g[id].behind_picked = behind == HiddenLoads::What::Picked;
  const bool hidden = behind != HiddenLoads::What::Nothing;
  if (hidden && adds_ == Adds::AtOnce) changes_ += book_.note_all_shift();
  else all_shift_ |= hidden;
  if (!book_.elders_only() || promise_to_all_ || (!hidden && elders_.suffice(g, id))) return;
  promise_to_all_ = true;
  ++changes_;
}

bool Promises::discover_for_elders(const Graph& g, EventId w) {
  changes_ += elders_.note(g, w);
  const Event& e = g[w];
  bool searched = false, complete = false, added = false;
  std::optional<Promise> promise;
  prefix_of_ = no_event;
  for (EventId r = g.settled; r < w; ++r) {
    const Event& q = g[r];
    if (q.loc != e.loc || q.kind != EventKind::Read || q.thread >= e.thread) continue;
    if (!promise) promise = of(g, w);
    if (book_.knows_without_basis(read(q), *promise)) continue;
    if (g.in(r, g.porf(w))) {
      if (consistency_.known_before(g, r, w)) continue;
      if (!searched) consistency_.must_precede(g, w, preceding_);
      searched = true;
      if (preceding_[static_cast<std::size_t>(r)]) continue;
    } else if (!elders_.cycle_possible(g, r, w)) {
      continue;
    }
    if (!complete && !rests_on(g, w, promise->basis)) return added;
    complete = true;
    added |= add(q, *promise);
  }
  return added;
}

bool Promises::discover(const Graph& g, EventId w) {
  if (adds_ == Adds::Never) return false;
  if (book_.elders_only()) return discover_for_elders(g, w);
  const Graph::Clock* prefix = g.porf(w);
  const Event& e = g[w];
  const bool picked = book_.all_shift() && hidden_.behind(g, w) == HiddenLoads::What::Picked;
  bool searched = false, added = false;
  std::optional<Promise> promise;
  prefix_of_ = no_event;
  for (EventId r = g.settled; r < w; ++r) {
    const Event& q = g[r];
    if (q.loc != e.loc || q.kind != EventKind::Read || q.thread == e.thread || q.asleep || !g.in(r, prefix)) continue;
    bool ordered = consistency_.known_before(g, r, w);
    if (!ordered) {
      if (!searched) consistency_.must_precede(g, w, preceding_);
      searched = true;
      ordered = preceding_[static_cast<std::size_t>(r)] != 0;
    }
    if ((ordered && !picked && !may_differ(g, r, w)) || !precedes(g, r, w)) continue;
    if (!promise) {
      promise = of(g, w);
      if (!rests_on(g, w, promise->basis)) return false;
    }
    if (ordered && !promise->basis.empty()) refuse(q, *promise);
    else added |= add(q, *promise);
  }
  return added;
}

void Promises::refuse(const Event& r, const Promise& p) {
  const auto same = [&, key = read(r)](const auto& f) {
    return f.first == key && f.second.same_place(p) && f.second.same_contents(p);
  };
  if (std::ranges::none_of(refused_, same)) refused_.emplace_back(read(r), p);
}

bool Promises::left_out() const {
  return std::ranges::any_of(refused_, [&](const auto& f) { return !book_.has(f.first, f.second); });
}

bool Promises::may_differ(const Graph& g, EventId r, EventId w) const {
  if (!book_.all_shift()) return false;
  for (EventId e = g.settled; e < w; ++e)
    if (g[e].behind_picked && g.in(e, g.porf(w)) && g.in(r, g.porf(e))) return true;
  return false;
}

// What w and its value come from, along dependencies and reads-from, and the promises that are still to be kept among
// it. False if these contradict each other, or what they are promised to.
bool Promises::rests_on(const Graph& g, EventId w, std::vector<std::uint32_t>& basis) {
  collect_sources(g, w, basis);
  std::sort(basis.begin(), basis.end());
  basis.erase(std::unique(basis.begin(), basis.end()), basis.end());
  return !contradictory(g, w, basis);
}

// What its own thread reads of a write comes with what the write depends on by address and data, as in all models, not
// with what has picked its value: with that, writes would rest on hidden loads (graph/hidden_loads.h).
void Promises::collect_sources(const Graph& g, EventId w, std::vector<std::uint32_t>& basis) {
  enum : std::uint8_t { ForOwnThread = 1, All };
  marked_.assign(g.events.size(), 0);
  marked_[static_cast<std::size_t>(w)] = All;
  prefix_of_ = no_event;
  sources_.assign(1, w);
  const auto push = [&](EventId e, std::uint8_t how = All) {
    if (e < g.settled || marked_[static_cast<std::size_t>(e)] >= how) return;  // what is settled rests on no promise
    marked_[static_cast<std::size_t>(e)] = how;
    sources_.push_back(e);
  };
  const auto depends = [](const core::LoadSet& s, std::uint32_t k) {
    return std::binary_search(s.begin(), s.end(), k);
  };
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const EventId id = sources_[i];
    const Event& e = g[id];
    if (e.piece > 0) push(e.po_prev);
    if (e.kind == EventKind::Write && e.rmw) push(g[g.first_piece(id)].po_prev);
    if (e.kind == EventKind::Read) {
      push(e.rf, e.rf >= 0 && g[e.rf].thread == e.thread ? ForOwnThread : All);
      if (e.promised && e.rf == no_event) {
        basis.push_back(e.promise);
        const auto& further = book_[e.promise].basis;
        basis.insert(basis.end(), further.begin(), further.end());
      }
    }
    const core::Deps& d = tables_.deps(e.before);
    static const core::LoadSet nothing;
    const core::LoadSet& control = marked_[static_cast<std::size_t>(id)] == ForOwnThread ? nothing : d.ctrl;
    if (d.addr.empty() && d.data.empty() && control.empty()) continue;
    std::uint32_t loads = e.loads, first = loads;
    for (const core::LoadSet* s : {&d.addr, &d.data, &control})
      if (!s->empty()) first = std::min(first, s->front());
    for (EventId p = e.po_prev; p >= g.settled && loads > first; p = g[p].po_prev) {
      if (!is_load(g[p])) continue;
      --loads;
      if (depends(d.addr, loads) || depends(d.data, loads) || depends(control, loads)) push(p);
    }
  }
}

bool Promises::contradictory(const Graph& g, EventId w, const std::vector<std::uint32_t>& basis) const {
  for (const std::uint32_t i : basis) {
    const Promise& p = book_[i];
    const bool shifts = book_.shifts(p.thread);  // then other events may stand at the place
    for (const std::uint32_t j : basis)
      if (i != j && p.same_place(book_[j]) && !shifts) return true;
    for (const EventId s : sources_) {
      const Event& e = g[s];
      if (p.thread != e.thread || p.place != e.place) continue;
      if (s == w || (!shifts && !keeps(g, s, p))) return true;
    }
  }
  return false;
}

// Clocks count mates as predecessors.
bool Promises::precedes(const Graph& g, EventId r, EventId w) {
  if (!g.has_twins()) return true;
  if (prefix_of_ != w) mark_prefix(g, w, g.settled, marked_, sources_);
  prefix_of_ = w;
  return marked_[static_cast<std::size_t>(r)] != 0;
}

bool Promises::fulfil(Graph& g, EventId id) {
  notice(g, id);
  std::uint32_t left = g.promises;
  prefix_of_ = no_event;
  for (EventId r = g.settled; left > 0; ++r) {
    Event& q = g[r];
    if (!q.promised || q.rf != no_event) continue;
    --left;
    const Promise& p = book_[q.promise];
    const Event& e = g[id];
    if (p.thread != e.thread || p.place != e.place) continue;
    // What does not come after its read is found by an ordinary revisit.
    if (!keeps(g, id, p) || !g.in(r, g.porf(id)) || !precedes(g, r, id)) {
      if (book_.elders_only()) return false;
      continue;
    }
    g.keep_promise(r, id);
    if (q.pending) {
      // The write of the promised rmw is there already: it must come directly after this one.
      const EventId next = g[id].co_next;
      if (next == no_event || !g[next].rmw || g.read_of(next) != r) return false;
    }
  }
  return true;
}

}  // namespace heddle::graph
