// SPDX-License-Identifier: Apache-2.0
#include "graph/axiomatic.h"

#include <algorithm>

#include "graph/pieces.h"
#include "graph/to_execution.h"

namespace heddle::graph {

// Reading from a write, or following it, with a later one that e cannot overtake would be a cycle: with w → e by hb, of
// the one order of a multi-copy-atomic model; on POWER, with w → u by a fence or rfe; fence and u → e by hb, of fre; prop;
// hb* (observation) or co; prop. Clocks know a release write from a read of any of its pieces: no fence stands behind it
// then, nor does coherence order its other pieces.
void Axiomatic::options(Graph& g, EventId e, EventId revisited, std::vector<EventId>& out) {
  if (revisited != no_event) appended(g, revisited);
  const ThreadId t = g[e].thread;
  const ThreadId t2 = revisited == no_event ? t : g[revisited].thread;
  const std::uint8_t enough = model_.strong ? first_by_fence : comes_first;
  bool searched = false;
  for (EventId w = g.locs[g[e].loc].tail;; w = g[w].co_prev) {
    out.push_back(w);
    if (w < g.settled || seen_by(g, w, t, t2)) return;
    if ((!model_.strong || g.pieces == 0) && known_before_either(g, w, e, revisited)) return;
    if (!searched) precede_by_order(g, e, g.settled, preceding_);
    searched = true;
    if (preceding_[static_cast<std::size_t>(w)] >= enough) return;
  }
}

bool Axiomatic::consistent(Graph& g, EventId e, EventId revisited) {
  // Accesses are judged as a whole, with the last of their pieces.
  if (revisited == no_event && g[e].piece + 1 < g[e].pieces) return true;
  if (g.pieces > 0) {
    bool edges_out = revisited != no_event && g[e].pieces > 1;
    EventId p = e;
    for (unsigned i = 0; i <= g[e].piece && !edges_out; ++i, p = g[p].po_prev) edges_out = has_edges_out(g, p);
    return !edges_out || judge(g);
  }
  if (!has_edges_out(g, e)) return true;
  const auto closes_cycle = [&](EventId id) {
    reach_.begin(g, g.settled);
    reach_.add(g, id, BackwardReach::Edges::ProgramOrder);
    return reach_.has(id);
  };
  bool cycle = closes_cycle(e) || (revisited != no_event && closes_cycle(revisited));
  if (g[e].kind == EventKind::Write)
    for (EventId r = g[e].readers; r != no_event && !cycle; r = g[r].next_reader)
      cycle = g[r].promised && closes_cycle(r);
  return !cycle || judge(g);
}

namespace {
// What a machine's own fence orders is the model's affair.
bool is_full_fence(const Event& e) {
  return e.kind == EventKind::Fence && e.tag == 0 && e.order == core::Order::SeqCst;
}
// May clocks learn from the write that this one sees? A write of its own thread tells nothing that program order does not.
bool sees_other_thread(const Graph& g, const Event& r) {
  return r.rf >= 0 && !r.promised && g[r.rf].thread != r.thread;
}
}  // namespace

void Axiomatic::linked(Graph& g, EventId id) {
  const Event& e = g[id];
  if (e.kind == EventKind::Write) {
    Graph::Clock* msg = g.msg(id);
    if (is_release(e.order)) std::copy_n(g.hb(id), g.stride(), msg);
    else if (e.release_fence != no_event && is_full_fence(g[e.release_fence]))
      std::copy_n(g.hb(e.release_fence), g.stride(), msg);
    else std::fill_n(msg, g.stride(), Graph::Clock{0});
    if (e.rmw && sees_other_thread(g, g[g.read_of(id)])) g.join(msg, g.msg(g[g.read_of(id)].rf));
    return;
  }
  g.reset_hb(id);
  if (e.kind == EventKind::Read) {
    if (acquires(e) && sees_other_thread(g, e)) g.join(g.hb(id), g.msg(e.rf));
  } else if (is_full_fence(e)) {
    for (EventId p = e.po_prev; p != no_event && !is_full_fence(g[p]); p = g[p].po_prev)
      if (g[p].kind == EventKind::Read && sees_other_thread(g, g[p])) g.join(g.hb(id), g.msg(g[p].rf));
  } else if (e.kind == EventKind::Join) {
    const ThreadState& child = g.threads[static_cast<ThreadId>(e.value.bits)];
    const EventId last = child.last != no_event ? child.last : child.created_by;
    if (last != no_event) g.join(g.hb(id), g.hb(last));
  }
}

// From-read or coherence, or reads that were promised this write. Without such an edge there is no new cycle.
bool Axiomatic::has_edges_out(const Graph& g, EventId e) {
  const EventId w = g.write_of(e);
  return w != no_event &&
         (g.co_next(w) != no_event || (w >= 0 && g[w].readers != no_event && g[g[w].readers].promised));
}

// Does a come before the creation of e's thread, or of one that created it, or e after a join of a's thread?
bool Axiomatic::created_or_joined_between(const Graph& g, EventId a, EventId e) {
  for (EventId by = g.threads[g[e].thread].created_by; by != no_event; by = g.threads[g[by].thread].created_by)
    if (g[by].thread == g[a].thread) return g[a].index <= g[by].index;
  for (EventId p = e; p != no_event; p = g[p].po_prev)
    if (g[p].kind == EventKind::Join && g[p].value.bits == g[a].thread) return true;
  return false;
}

// Is there no such execution in which e comes first?
bool Axiomatic::is_ordered(Graph& g, EventId a, EventId e) {
  // Both may be in a phase that has been settled since.
  const EventId from = g[std::max(a, e)].settled;
  if (std::min(a, e) < from) return a < e;
  if (created_or_joined_between(g, a, e)) return true;
  if (!searched(e, from)) precede_by_order(g, e, from, preceding_);
  if (preceding_[static_cast<std::size_t>(a)] != 0) return true;
  const auto yes = accepted(g, tables_, model_, Steps::Apart, std::pair{e, a}, from);
  return tables_.drops().at(core::DropPlace::GraphLifetime, !yes, model_.name) || !*yes;
}

// Asked of maximal graphs, and where promises are kept: what those have changed was not judged event by event.
bool Axiomatic::whole(const Graph& g) { return judge(g); }

// Most graphs with pieces are sequential, which is told in linear time.
bool Axiomatic::judge(const Graph& g) {
  if (g.pieces > 0 && whole_accesses_sequential(g)) return true;
  const auto yes = accepted(g, tables_, model_);
  return !tables_.drops().at(core::DropPlace::GraphAxioms, !yes, model_.name) && *yes;
}

// Marks what comes before w by program order and reads-from at its location: to see w would contradict coherence.
void Axiomatic::precede_at_location(const Graph& g, EventId w, std::vector<std::uint8_t>& marked) {
  stack_.assign(1, w);
  while (!stack_.empty()) {
    const Event& e = g[stack_.back()];
    stack_.pop_back();
    EventId p = e.po_prev;
    while (p >= g.settled && g[p].loc != e.loc) p = g[p].po_prev;
    for (const EventId before : {p, e.kind == EventKind::Read ? e.rf : no_event}) {
      if (before < g.settled || marked[static_cast<std::size_t>(before)]) continue;
      marked[static_cast<std::size_t>(before)] = 1;
      stack_.push_back(before);
    }
  }
}

// Marks what w can never overtake: dependencies, full fences, acquire and release, external reads-from, in any
// sequence. A read of a write of its own thread comes after what the address and value of that write depend on.
void Axiomatic::must_precede(const Graph& g, EventId w, std::vector<std::uint8_t>& marked) {
  precede_by_order(g, w, g.settled, marked);
  coherent_.assign(g.events.size(), 0);
  precede_at_location(g, w, coherent_);
  for (std::size_t e = 0; e < marked.size(); ++e) marked[e] = static_cast<std::uint8_t>(marked[e] | coherent_[e]);
}

void Axiomatic::must_precede_in_thread(const Graph& g, EventId w, std::vector<std::uint8_t>& marked) {
  precede_by_order(g, w, g.settled, marked, Through::OneThread);
}

void Axiomatic::precede_by_order(const Graph& g, EventId w, EventId from, std::vector<std::uint8_t>& marked,
                                 Through through) {
  marked.assign(g.events.size(), 0);
  stack_.clear();
  marked_below_.assign(g.threads.size(), {});
  const auto push = [&](EventId e, std::uint8_t how = comes_first) {
    if (e < from) return;  // settled: before everything
    if (through == Through::OneThread && g[e].thread != g[w].thread) return;
    std::uint8_t& mark = marked[static_cast<std::size_t>(e)];
    if (mark == 0) stack_.push_back(e);
    mark = std::max(mark, how);
  };
  const auto depends = [](const core::LoadSet& s, std::uint32_t k) {
    return std::binary_search(s.begin(), s.end(), k);
  };
  push(w);
  while (!stack_.empty()) {
    const EventId id = stack_.back();
    stack_.pop_back();
    const Event& e = g[id];
    if (e.kind == EventKind::Read && e.rf >= 0) {
      if (g[e.rf].thread != e.thread) {
        push(e.rf);
      } else if (e.pieces == 1 && g[e.rf].pieces == 1) {  // ARM promises nothing of a read that takes a part elsewhere
        const core::Deps& d = tables_.deps(g[e.rf].before);
        std::uint32_t k = g[e.rf].loads;
        for (EventId p = g[e.rf].po_prev; p >= from; p = g[p].po_prev) {
          if (!is_load(g[p])) continue;
          --k;
          if (depends(d.addr, k) || depends(d.data, k)) push(p);
        }
      }
    }
    if (e.kind == EventKind::Write && e.rmw) push(g[g.first_piece(id)].po_prev);
    if (e.piece > 0) push(e.po_prev);
    if (e.po_prev == no_event) {
      push(g.threads[e.thread].created_by);
      continue;
    }
    if (e.kind == EventKind::Join) push(g.threads[static_cast<ThreadId>(e.value.bits)].last);
    const core::Deps& d = tables_.deps(e.before);
    std::uint32_t loads = e.loads;
    const bool writes = e.kind == EventKind::Write || e.kind == EventKind::Free;
    const bool releases = e.kind == EventKind::Write && is_release(e.order);
    bool all = releases || e.kind == EventKind::Spawn || e.kind == EventKind::Join;
    std::uint32_t all_below = all ? e.index : 0;
    Marked& known = marked_below_[e.thread];
    // The fence of a release stands in front of all its pieces, and of the read of a read-modify-write.
    EventId first = e.kind == EventKind::Write ? g.first_piece(id) : id;
    if (e.kind == EventKind::Write && e.rmw) first = g.first_piece(g[first].po_prev);
    for (EventId p = e.po_prev; p >= from; p = g[p].po_prev) {
      const Event& q = g[p];
      const bool own = p >= first;
      if (q.index < (releases ? known.by_fence : known.at_all)) break;
      if (q.kind == EventKind::Read) {
        loads -= is_load(q);
        if (all || acquires(q) || depends(d.addr, loads) ||
            (writes && (depends(d.data, loads) || depends(d.ctrl, loads))))
          push(p);
        if (releases && !own && q.rf >= 0 && g[q.rf].thread != q.thread) push(q.rf, first_by_fence);
      } else if (q.kind == EventKind::Write) {
        if (all) push(p, releases && !own ? first_by_fence : comes_first);
      } else if (q.kind == EventKind::Fence) {
        all |= is_full_fence(q);
      } else if (q.kind == EventKind::Spawn || q.kind == EventKind::Join) {
        all = true;
      }
      if (all && all_below == 0) all_below = q.index;
    }
    known.at_all = std::max(known.at_all, all_below);
    if (releases) known.by_fence = std::max(known.by_fence, g[first].index);
  }
}

}  // namespace heddle::graph
