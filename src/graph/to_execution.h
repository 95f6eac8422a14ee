// A graph, or one phase of it (graph.h), as an Execution that axioms/ can judge.
// C11 accesses become what compilers emit for the machine (axioms/mapping.h); pieces of an access become one event.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "axioms/mapping.h"
#include "axioms/models.h"
#include "core/address_deps.h"
#include "core/rmw.h"
#include "graph/consistency.h"
#include "graph/graph.h"

namespace heddle::graph {

constexpr std::uint32_t lifetime = 0xffffff00;  // an offset that no object has: what free() writes to

using EventPair = std::pair<EventId, EventId>;

// Are the accesses of an atomic step events of their own, or one to all others?
enum class Steps : std::uint8_t { Apart, AsOne };

template <unsigned W>
class ExecutionBuilder {
 public:
  // Fills x with the events from ≤ e < to of g, which are a phase, and their relations; the last write to a location
  // before them is its initial one. False if there are too many events for W.
  // `edge`: a further pair that every model is to keep in order.
  bool build(const Graph& g, const Tables& tables, const axioms::Model& model, axioms::Execution<W>& x, Steps steps,
             const std::optional<EventPair>& edge, EventId from, EventId to) {
    from_ = from;
    to_ = to;
    x.events.clear();
    place_.assign(g.events.size(), none);
    leave_out(g);
    add_initial_writes(g, tables, x);
    add_threads(g, tables, model, x);
    if (x.events.size() > 64 * W) return false;
    relate(g, tables, model, x, edge);
    if (steps == Steps::AsOne) join_steps(g, x);
    return true;
  }

  // Fills x with the events of one phase and thread up to `last`, and their relations but for coherence and `forced`.
  // Every write of others that they read stands outside, as an initial one. `linked`: if `last` is a read, what it reads
  // from counts. Requires accesses of one piece. False if there are too many events for W.
  bool build_thread(const Graph& g, const Tables& tables, const axioms::Model& model, axioms::Execution<W>& x,
                    EventId last, bool linked) {
    from_ = g[last].settled;
    to_ = g.size();
    x.events.clear();
    place_.assign(g.events.size(), none);
    leave_out(g);
    by_thread_.resize(g.threads.size());
    for (auto& list : by_thread_) list.clear();
    auto& events = by_thread_[g[last].thread];
    for (EventId e = last; e >= from_; e = g[e].po_prev) events.push_back(e);
    std::reverse(events.begin(), events.end());
    control_.clear();
    after_.clear();
    index_ = 0;
    const auto is_other = [&](EventId w) { return w < from_ || g[w].thread != g[last].thread; };
    sources_.clear();
    for (const EventId e : events) {
      if (g[e].kind != EventKind::Read || (e == last && !linked)) continue;
      const EventId w = source_of(g[e]);
      if (w == no_event || (w >= 0 && w < g.size() && !is_other(w))) continue;
      if (std::ranges::find(sources_, w) != sources_.end()) continue;
      sources_.push_back(w);
      axioms::Event outside;
      outside.kind = axioms::EventKind::Init;
      outside.loc = tables.location(g[e].loc).loc;
      x.events.push_back(outside);
    }
    for (const EventId id : events) add_event(g, tables, model, id, x);
    if (x.events.size() > 64 * W) return false;
    x.reset();
    x.slices.clear();
    relate_threads(g, tables, model, x, events);
    for (const EventId e : events) {
      if (g[e].kind != EventKind::Read || (e == last && !linked)) continue;
      const EventId w = source_of(g[e]);
      const auto outside = std::ranges::find(sources_, w);
      if (outside != sources_.end()) x.rf.add(static_cast<std::uint32_t>(outside - sources_.begin()), place(e));
      else if (w != no_event) x.rf.add(place(w), place(e));
    }
    x.derive_static();
    x.derive();
    return true;
  }

  // Does the read that e is a piece of have its write?
  static bool pending_group(const Graph& g, EventId e) {
    for (EventId p = e; p < g.size(); ++p)
      if (g[p].thread == g[e].thread && g[p].index - g[p].piece == g[e].index - g[e].piece && g[p].pending) return true;
    return false;
  }

  std::uint32_t place(EventId e) const { return place_[static_cast<std::size_t>(e)]; }

 private:
  // A read whose other pieces are still to come, or whose thread stalls after it, is not there yet; nor is one asleep.
  bool absent(const Graph& g, EventId e) const {
    return e < from_ || e >= to_ || g[e].asleep || g[e].index >= present_[g[e].thread];
  }
  void leave_out(const Graph& g) {
    present_.clear();
    for (const ThreadState& t : g.threads) {
      present_.push_back(t.count);
      if (g.pieces == 0 || t.last == no_event) continue;
      const bool stalled = g[t.last].kind == EventKind::Stalled;
      const Event& e = g[stalled ? g[t.last].po_prev : t.last];
      if (stalled || (e.kind == EventKind::Read && e.piece + 1 < e.pieces)) present_.back() = e.index - e.piece;
    }
  }

  void add_initial_writes(const Graph& g, const Tables& tables, axioms::Execution<W>& x) {
    initial_.assign(g.locs.size(), none);
    used_.assign(g.locs.size(), 0);
    for (EventId e = from_; e < to_; ++e)
      if (g[e].loc != none && !absent(g, e)) used_[g[e].loc] = 1;
    for (LocId l = 0; l < g.locs.size(); ++l) {
      if (!used_[l]) continue;
      initial_[l] = static_cast<std::uint32_t>(x.events.size());
      axioms::Event e;
      e.kind = axioms::EventKind::Init;
      e.loc = tables.location(l).loc;
      e.value = tables.location(l).initial;
      x.events.push_back(e);
    }
  }

  // Each thread's events in program order: ids ascend with it.
  void add_threads(const Graph& g, const Tables& tables, const axioms::Model& model, axioms::Execution<W>& x) {
    control_.clear();
    after_.clear();
    by_thread_.resize(g.threads.size());
    for (auto& list : by_thread_) list.clear();
    for (EventId e = from_; e < to_; ++e)
      if (!absent(g, e)) by_thread_[g[e].thread].push_back(e);
    for (const auto& list : by_thread_) {
      index_ = 0;
      for (const EventId id : list) add_event(g, tables, model, id, x);
    }
  }

  void push(ThreadId t, axioms::Event e, axioms::Execution<W>& x) {
    e.thread = static_cast<std::uint16_t>(t);
    e.index = index_++;
    x.events.push_back(e);
  }
  void push_fence(ThreadId t, core::Tag tag, axioms::Execution<W>& x) {
    axioms::Event f;
    f.kind = axioms::EventKind::Fence;
    f.tag = tag;
    push(t, f, x);
  }

  // The event, with the fences that its access is compiled to before and behind it. The first piece stands for all.
  void add_event(const Graph& g, const Tables& tables, const axioms::Model& model, EventId id,
                 axioms::Execution<W>& x) {
    const Event& e = g[id];
    axioms::Event out = event_of(e, model);
    axioms::Mapped m;
    if (e.kind == EventKind::Read || e.kind == EventKind::Write) {
      const core::Request& q = tables.step(e.before).request;
      out.loc = e.pieces == 1 ? tables.location(e.loc).loc : q.loc;
      out.instruction = q.order;
      const bool failed = e.rmw && e.kind == EventKind::Read && !(e.pieces == 1 ? e.pending : pending_group(g, id));
      const axioms::Hardware target = tables.compiled() ? model.hardware : axioms::Hardware::None;
      m = axioms::mapped(target, {out.kind, e.rmw, q.op == core::RmwOp::Cas, failed, e.order, out.instruction});
      out.order = m.order;
      out.exclusive = m.exclusive;
      out.in_rmw = e.rmw && !m.exclusive;
    }
    std::uint32_t& place_of = place_[static_cast<std::size_t>(id)];
    if (e.piece == 0) {
      if (m.before) push_fence(e.thread, m.before, x);
      place_of = static_cast<std::uint32_t>(x.events.size());
      push(e.thread, out, x);
      if (m.control) control_.push_back(place_of);
    } else {
      place_of = place(g.first_piece(id));
    }
    if (m.after && e.piece + 1 == e.pieces) {
      after_.emplace_back(id, static_cast<std::uint32_t>(x.events.size()));
      push_fence(e.thread, m.after, x);
    }
  }

  static axioms::Event event_of(const Event& e, const axioms::Model& model) {
    axioms::Event out;
    out.order = e.order;
    out.tag = e.tag;
    out.value = e.value;
    out.in_rmw = e.rmw;
    switch (e.kind) {
      case EventKind::Read: out.kind = axioms::EventKind::Read; break;
      case EventKind::Write: out.kind = axioms::EventKind::Write; break;
      // Creating and joining threads needs an empty buffer; the language only has happens-before (`forced`).
      case EventKind::Spawn:
      case EventKind::Join:
        out.kind = axioms::EventKind::Fence;
        if (!model.language) out.order = core::Order::SeqCst;
        break;
      // To free is to write something that nobody else sees.
      case EventKind::Free:
        out.kind = axioms::EventKind::Write;
        out.loc = {e.value.object(), lifetime, 1};
        break;
      default: out.kind = is_silent(e) ? axioms::EventKind::Branch : axioms::EventKind::Fence; break;
    }
    return out;
  }

  // Program order, dependencies and read-modify-writes.
  void relate_threads(const Graph& g, const Tables& tables, const axioms::Model& model, axioms::Execution<W>& x,
                      const std::vector<EventId>& events) {
    for (std::size_t a = x.events.size(); a-- > 1;) {
      if (x.events[a].thread != x.events[a - 1].thread || x.events[a].kind == axioms::EventKind::Init) continue;
      const auto later = static_cast<std::uint32_t>(a);
      x.po[later - 1] = x.po[later];
      x.po.add(later - 1, later);
    }
    for (const std::uint32_t r : control_) x.ctrl[r] |= x.po[r];
    if (model.needs_deps) number_loads(g);
    for (const EventId id : events) {
      const Event& e = g[id];
      if (e.kind == EventKind::Write && e.rmw && g.read_of(id) >= from_) {
        x.rmw.add(place(g.read_of(id)), place(id));
        if (tables.compiled() && model.hardware == axioms::Hardware::Power &&
            core::uses_old_value(tables.step(e.before).request.op))
          x.data.add(place(g.read_of(id)), place(id));
      }
      if (model.needs_deps && e.piece == 0) depend(g, tables, model, id, x);
    }
    // What an access comes after a branch of, the fence behind it does too.
    if (model.needs_deps)
      for (const auto& [id, f] : after_)
        for (const auto k : tables.deps(g[id].before).ctrl)
          if (const EventId load = nth_load(g[id].thread, k); load != no_event) x.ctrl.add(place(load), f);
  }

  // What a read reads from: an event or an initial write, or the number of a promise beyond all events.
  static EventId source_of(const Event& r) {
    return r.promised && r.rf == no_event ? std::numeric_limits<EventId>::max() - static_cast<EventId>(r.promise)
                                          : r.rf;
  }

  void relate(const Graph& g, const Tables& tables, const axioms::Model& model, axioms::Execution<W>& x,
              const std::optional<EventPair>& edge) {
    x.reset();
    x.slices.clear();
    present_events_.clear();
    for (EventId id = from_; id < to_; ++id)
      if (!absent(g, id)) present_events_.push_back(id);
    relate_threads(g, tables, model, x, present_events_);
    for (const EventId id : present_events_)
      if (g[id].kind == EventKind::Read && g[id].rf != no_event)
        x.rf.add(g[id].rf < from_ ? initial_[g[id].loc] : place(g[id].rf), place(id));
    for (LocId l = 0; l < g.locs.size(); ++l) {
      if (initial_[l] == none) continue;
      axioms::EventSet<W> later;
      for (EventId w = g.locs[l].tail; w >= from_; w = g[w].co_prev) {
        if (w >= to_) continue;
        x.co[place(w)] |= later;
        later.add(place(w));
      }
      x.co[initial_[l]] |= later;
    }
    force(g, x);
    if (edge) x.forced.add(place(edge->first), place(edge->second));
    if (g.pieces > 0) slice(g, x);
    x.derive_static();
    x.derive();
  }

  // From its first access to its last, with the fences in between.
  void join_steps(const Graph& g, axioms::Execution<W>& x) {
    x.steps = axioms::Relation<W>(x.size());
    for (const auto& list : by_thread_) {
      std::uint32_t begin = none;
      bool several = false;  // an atomic instruction alone is no step
      for (const EventId e : list) {
        if (begin == none || !g[e].continues_step()) {
          begin = place(e);
          several = false;
        }
        several |= g[e].joined && place(e) != begin;
        axioms::EventSet<W> step;
        for (std::uint32_t a = begin; several && a <= place(e); ++a) step.add(a);
        step.each([&](auto a) { x.steps[a] = step - axioms::EventSet<W>::single(a); });
      }
    }
    if (x.steps.empty()) x.steps = axioms::Relation<W>();
    x.order_steps();
  }

  // What happens in each piece that is accessed as a part; all other locations, which nothing overlaps, are one slice.
  void slice(const Graph& g, axioms::Execution<W>& x) {
    const unsigned n = x.size();
    std::vector<std::uint32_t> number(g.locs.size(), 0);
    std::uint32_t slices = 1;
    for (EventId e = from_; e < to_; ++e)
      if (g[e].pieces > 1 && number[g[e].loc] == 0) number[g[e].loc] = slices++;
    x.slices.resize(slices);
    for (auto& s : x.slices) s.po_loc = s.rf = s.co = s.fr = axioms::Relation<W>(n);
    for (LocId l = 0; l < g.locs.size(); ++l) {
      if (initial_[l] == none) continue;
      auto& s = x.slices[number[l]];
      axioms::EventSet<W> later, here;
      for (EventId w = g.locs[l].tail;; w = g[w].co_prev) {
        if (w >= to_) continue;
        const std::uint32_t at = w < from_ ? initial_[l] : place(w);
        here.add(at);
        for (EventId r = g.readers(w); r != no_event; r = g[r].next_reader) {
          if (absent(g, r)) continue;
          here.add(place(r));
          s.rf.add(at, place(r));
          s.fr[place(r)] |= later;
        }
        s.co[at] |= later;
        later.add(at);
        if (w < from_) break;
      }
      if (number[l] != 0) s.po_loc = x.po.between(here, here);
      else here.each([&](auto a) { s.po_loc[a] |= x.po[a] & here; });
    }
  }

  // Of each thread, by number in its program order.
  void number_loads(const Graph& g) {
    loads_.assign(by_thread_.size(), {});
    first_load_.assign(by_thread_.size(), 0);
    for (std::size_t t = 0; t < by_thread_.size(); ++t) {
      if (!by_thread_[t].empty()) first_load_[t] = g[by_thread_[t].front()].loads;
      for (const EventId e : by_thread_[t])
        if (g[e].kind == EventKind::Read && g[e].piece == 0) loads_[t].push_back(e);
    }
  }

  void depend(const Graph& g, const Tables& tables, const axioms::Model& model, EventId id, axioms::Execution<W>& x) {
    const Event& e = g[id];
    const core::Deps& d = tables.deps(e.before);
    if (d.addr.empty() && d.data.empty() && d.ctrl.empty()) return;
    // What comes before the phase is before everything in it anyway.
    const auto& loads = loads_[e.thread];
    const std::uint32_t first = first_load_[e.thread];
    const auto each = [&](const core::LoadSet& set, axioms::Relation<W>& rel, std::uint32_t base = 0) {
      for (auto k = std::lower_bound(set.begin(), set.end(), base + first); k != set.end(); ++k)
        if (const std::uint32_t n = *k - base - first; n < loads.size() && loads[n] < id)
          rel.add(place(loads[n]), place(id));
    };
    const bool writes = e.kind == EventKind::Write || e.kind == EventKind::Free;
    if (e.kind == EventKind::Read || writes) each(d.addr, x.addr);
    if (writes) each(d.data, x.data);
    each(d.ctrl, x.ctrl);
    if (!model.overtakes_addresses) each(d.ctrl, x.ctrl, core::by_address);
  }

  EventId nth_load(ThreadId t, std::uint32_t k) const {  // no_event: it is older than the phase
    return k >= first_load_[t] && k - first_load_[t] < loads_[t].size() ? loads_[t][k - first_load_[t]] : no_event;
  }

  // What creation and join of threads order under every model.
  void force(const Graph& g, axioms::Execution<W>& x) {
    bool any = false;
    const auto all = [&](ThreadId t) {
      axioms::EventSet<W> s;
      for (const EventId e : by_thread_[t]) s.add(place(e));
      return s;
    };
    for (EventId id = from_; id < to_; ++id) {
      const Event& e = g[id];
      if (e.kind == EventKind::Spawn) {
        const auto child = all(static_cast<ThreadId>(e.value.bits));
        x.forced[place(id)] |= child;
        any = true;
      } else if (e.kind == EventKind::Join) {
        for (const EventId c : by_thread_[static_cast<ThreadId>(e.value.bits)]) x.forced.add(place(c), place(id));
        any = true;
      }
    }
    if (!any) return;
    // From what is before a creation, to what is after a join, and on through further threads.
    const auto base = x.forced;
    const auto reflexive_po = maybe(x.po);
    x.forced = closure(seq(seq(reflexive_po, base), reflexive_po));
  }

  std::vector<std::uint32_t> place_, initial_, control_;
  std::vector<std::pair<EventId, std::uint32_t>> after_;  // accesses with a fence behind them, and that fence
  std::vector<std::uint32_t> present_;                    // of each thread: how many of its first events are there
  std::vector<std::vector<EventId>> by_thread_;
  std::vector<EventId> present_events_;
  std::vector<EventId> sources_;  // writes of others, in thread mode
  std::vector<std::vector<EventId>> loads_;
  std::vector<std::uint32_t> first_load_;
  std::vector<std::uint8_t> used_;  // by location
  EventId from_ = 0, to_ = 0;
  std::uint32_t index_ = 0;  // of the next event in its thread
};

// Is the phase that begins with event `from`, or the last one, an execution of this model? Nothing if it has too many
// events to tell.
std::optional<bool> accepted(const Graph&, const Tables&, const axioms::Model&, Steps = Steps::Apart,
                             std::optional<EventPair> edge = {}, std::optional<EventId> from = {});

// Are all of its phases?
std::optional<bool> accepted_by_phases(const Graph&, const Tables&, const axioms::Model&, Steps);

}  // namespace heddle::graph
