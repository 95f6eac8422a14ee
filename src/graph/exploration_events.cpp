// The events of the exploration: their options, and what follows once an option is taken.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "graph/exploration.h"
#include "graph/pieces.h"

namespace heddle::graph {

namespace {
constexpr EventId promise_option = 1 << 30;  // options from here on are numbers of promises
}  // namespace

// Adds the next read of the thread, or the next piece of it.
bool Exploration::read_step(ThreadId t) {
  Graph& g = graph();
  const EventId base = g.size();
  const auto begin = static_cast<std::uint32_t>(options_.size());
  const EventId r = steps_.read(g, t);
  consistency_.options(g, r, no_event, options_);
  if (promises_ != nullptr)
    if (const auto* list = promises_->find(g[r]))
      for (const std::uint32_t i : *list)
        if ((*promises_)[i].loc == tables_.location(g[r].loc).loc)
          options_.push_back(promise_option + static_cast<EventId>(i));
  if (options_.size() == begin + 1) {
    const EventId w = options_[begin];
    options_.resize(begin);
    return finish_read(r, w);
  }
  return branch(Branch::Read, t, base, begin, added(begin), 0);
}

// r reads from w, or from a write that is promised.
void Exploration::give_value(EventId r, EventId w) {
  Graph& g = graph();
  Event& e = g[r];
  e.pending = e.stuck = e.waiting = e.asleep = e.tie = false;
  if (w >= promise_option) {
    e.promise = static_cast<std::uint32_t>(w - promise_option);
    e.promised = true;
    e.value = (*promises_)[e.promise].value;
    ++g.promises;
  } else {
    g.link_read(r, w);
    e.value = value_of(g, tables_, e.loc, w);
  }
}

// `revisitor`: the write that has just been added and that r is revisited by; no_event: r is the last event.
bool Exploration::consistent(EventId r, EventId revisitor) {
  return revisitor == no_event ? consistency_.consistent(graph(), r, no_event)
                               : consistency_.consistent(graph(), revisitor, r);
}

bool Exploration::finish_read(EventId r, EventId w, EventId revisitor) {
  Graph& g = graph();
  Event& e = g[r];
  const bool promised = w >= promise_option;
  give_value(r, w);
  if (e.joined && whole_.steps().torn(g, r)) return false;
  if (e.piece + 1 < e.pieces) {
    if (e.mixed) g.set_order(r, common_order(tables_.step(e.before).request));
    e.after = e.before;
    g.threads[e.thread].state = e.after;
    consistency_.linked(g, r);
    return fulfil(r) && (promised || consistent(r, revisitor));
  }
  steps_.resolve(g, r);
  if (e.pending) pending_ = e.thread;
  const bool blocked = e.stuck || e.waiting;
  if (promised) {
    consistency_.linked(g, r);
    return symmetry_.in_order(g, r) && fulfil(r) && !blocked;  // a blocked thread has no use for a promise
  }
  if (blocked && e.pieces == 1) {
    if (revisitor == no_event) return fall_asleep(r, w);
    if (spinloops_.blocked_when_added(g, r)) return false;
  }
  if (!symmetry_.in_order(g, r)) return false;
  consistency_.linked(g, r);
  if (!fulfil(r)) return false;
  if (!consistent(r, revisitor)) {
    // Another write may still revisit the last piece of a cut read (graph/pieces.h), unless it saw an old one.
    if (e.pieces == 1 || (revisitor == no_event && g.co_next(w) != no_event)) return false;
    return stall(g[r].thread) && (revisitor == no_event || consistent(r, revisitor));
  }
  tell_of(g, r);
  return true;
}

// See graph/spinloops.h.
bool Exploration::fall_asleep(EventId r, EventId w) {
  Graph& g = graph();
  if (g.co_next(w) != no_event) {
    // Another round need not be explored, but it has read: what is written after w may race with that.
    consistency_.linked(g, r);
    if (promises_ == nullptr && consistent(r, no_event)) tell_of(g, r);
    return false;
  }
  g.unlink_read(r);
  g.reset_porf(r);
  g[r].asleep = true;
  consistency_.linked(g, r);
  if (!fulfil(r)) return false;
  tell_of(g, r);
  return true;
}

// Is e the last piece of a read that blocks its thread? Not inside an atomic step, which has not come to its end then.
bool Exploration::read_in_vain(const Graph& g, EventId e) const {
  const Event& v = g[e];
  return v.kind == EventKind::Read && (v.stuck || v.waiting) && !tables_.step(v.before).request.locked;
}

// Is w a write to what a blocked thread has read?
bool Exploration::meets_vain_read(const Graph& g, EventId w) const {
  return g[w].kind == EventKind::Write && std::ranges::any_of(g.threads, [&](const ThreadState& s) {
           if (!s.alive || s.last == no_event || !read_in_vain(g, s.last)) return false;
           EventId r = s.last;
           while (g[r].loc != g[w].loc && g[r].piece > 0) r = g[r].po_prev;
           return g[r].loc == g[w].loc;
         });
}

// Told of once the access, or the atomic step, that e belongs to has come to its end. What a revisit is about to let
// read from e sleeps in the graph that has e without the revisit.
void Exploration::tell_of_vain_reads(Graph& g, EventId e) {
  const ThreadId t = g[e].thread;
  if (promises_ != nullptr || g.first_piece(e) == g.revisitor || g.unfinished(g.threads[t]) ||
      whole_.steps().inside(g, t))
    return;
  const bool in_vain = read_in_vain(g, e);
  bool holds = false;
  for (EventId p = e; p != no_event; p = g[p].continues_step() ? g[p].po_prev : no_event) {
    if (!in_vain && !meets_vain_read(g, p)) continue;
    if (!holds && !whole_.holds(g)) return;
    holds = true;
    watcher_.event(g, p);
  }
}

// Adds the next write of the thread, or the next piece of it. A write of several pieces is one event to the
// exploration: each piece has a place of its own, but what is revisited is decided once, with the first. The option
// no_event is to stall.
bool Exploration::write_step(ThreadId t) {
  Graph& g = graph();
  const EventId base = g.size();
  const auto begin = static_cast<std::uint32_t>(options_.size());
  const EventId w = steps_.write(g, t);
  const bool first = g[w].piece == 0;
  if (first && g[w].pieces > 1 && g[w].rmw && !places_.room_for_all_pieces(g, w)) options_.push_back(no_event);
  else places_.find(g, w, options_);
  const std::uint32_t places = added(begin);
  if (first) revisits_.find(g, w, options_);
  if (promises_ != nullptr && promises_->discover(g, w)) symmetry_.promised(g, w);
  if (added(begin) == 1 && places == 1) {
    const EventId after = options_[begin];
    options_.resize(begin);
    if (after != no_event) return place(w, after);
    g.truncate(base);
    return stall(t);
  }
  return branch(Branch::Write, t, base, begin, added(begin), places);
}

// w takes this place in coherence. With its last piece, the read that it revisits reads from it.
bool Exploration::place(EventId w, EventId after) {
  Graph& g = graph();
  g.link_write(w, after);
  consistency_.linked(g, w);
  const Event& e = g[w];
  g.threads[e.thread].state = e.after;
  symmetry_.in_order(g, w);
  const bool last = e.piece + 1 == e.pieces;
  pending_ = last ? none : e.thread;
  const bool revisits = last && g.first_piece(w) == g.revisitor;
  const bool kept = !last || fulfil_all_pieces(w);
  if (e.piece > 0 && !e.rmw && crosses_another_write(g, w)) return false;
  if ((!kept || (!revisits && !consistency_.consistent(g, w, no_event))) && (revisits || !withhold(w))) return false;
  tell_of(g, w);
  if (!revisits) return true;
  while (g[w].loc != g[g.revisited].loc) w = g[w].po_prev;
  g.reset_porf(g.revisited);
  return finish_read(g.revisited, w, w);
}

// Promises are kept once all pieces are there: until then it is open whether the write can keep any of them.
bool Exploration::fulfil_all_pieces(EventId w) {
  for (const Graph& g = graph(); fulfil(w); w = g[w].po_prev)
    if (g[w].piece == 0) return true;
  return false;
}

// w cannot keep its promises where it is, or after what was read. With all its pieces behind all other writes it stays
// without them: nothing follows it then, so the graph is consistent, and it is the maximal extension by w that a revisit
// asks for which deletes w again (graph/revisits.h). Unless one does, the promises are not kept, and the graph is
// dropped at its end.
bool Exploration::withhold(EventId w) {
  Graph& g = graph();
  if (promises_ == nullptr || !promises_->may_be_withheld()) return false;
  bool promised = false;
  for (EventId p = w;; p = g[p].po_prev) {
    if (g[p].co_next != no_event) return false;
    promised |= g[p].readers != no_event;
    if (g[p].piece == 0) break;
  }
  if (!promised) return false;
  g.take_back(w);
  g[w].withheld = true;
  return true;
}

bool Exploration::stall(ThreadId t) {
  steps_.stall(graph(), t);
  pending_ = none;
  return true;
}

bool Exploration::add_choice(ThreadId t, std::uint64_t value) {
  Graph& g = graph();
  const EventId id = steps_.choice(g, t, value);
  if (!symmetry_.in_order(g, id)) return false;
  g[id].stuck = spinloops_.only_chooses(g, id);
  return fulfil(id);
}

// An event without options.
bool Exploration::local_step(ThreadId t) {
  LocalStep step = steps_.local(graph(), t);
  if (step.child != none) make_room(step.child);
  Graph& g = graph();
  const EventId id = steps_.append(g, step);
  if (step.child != none) {
    ThreadState& c = g.threads[step.child];
    c = ThreadState{};
    c.alive = true;
    c.state = step.start;
    c.created_by = id;
    c.elder = symmetry_.elder_of(g, id);
  }
  symmetry_.in_order(g, id);
  if (!fulfil(id)) return false;
  tell_of(g, id);
  return true;
}

// Clocks and the table of threads must have a place for this one, in every graph of the stack.
void Exploration::make_room(ThreadId t) {
  if (t >= graph().stride()) {
    const unsigned stride = std::max(4 * (t / 4 + 1), 4 * (graph().stride() / 16) + graph().stride());
    for (std::size_t d = 0; d <= depth_; ++d) graphs_[d]->widen(stride);
  }
  if (t >= graph().threads.size()) graph().threads.resize(t + 1);
}

}  // namespace heddle::graph
