// SPDX-License-Identifier: Apache-2.0
#include "graph/pieces.h"

#include <utility>
#include <vector>

#include "core/rmw.h"
#include "graph/promise_book.h"
#include "graph/to_execution.h"

namespace heddle::graph {

core::Value part_of(const core::Value& v, const core::Loc& whole, const core::Loc& part) {
  if (whole.size == part.size) return v;
  const std::uint32_t from = part.offset - whole.offset;
  core::Value out((v.bits >> (8 * from)) & core::size_mask(part.size));
  out.undefined = (v.undefined >> (8 * from)) & core::size_mask(part.size);
  out.pointer = v.pointer && whole.size == 8 && from + part.size > 4;  // a byte of the object's name is among them
  return out;
}

core::Value value_read(const Graph& g, const Tables& tables, EventId last) {
  const Event& e = g[last];
  if (e.pieces == 1) return e.value;
  const core::Loc whole = tables.step(e.before).request.loc;
  core::Value v;
  bool one = whole.size == 8;    // the upper half is of one and the same pointer, in its place
  std::uint64_t name_bytes = 0;  // of pointers
  bool first = true;
  core::Value pointer;
  for (EventId p = last;; p = g[p].po_prev) {
    const Event& piece = g[p];
    const core::Loc loc = tables.location(piece.loc).loc;
    const std::uint32_t from = loc.offset - whole.offset;
    v.bits |= piece.value.bits << (8 * from);
    v.undefined |= piece.value.undefined << (8 * from);
    if (piece.value.pointer) name_bytes |= core::size_mask(loc.size) << (8 * from);
    if (one && from + loc.size > 4) {
      one = piece.value.pointer;
      core::Value source;
      if (one && piece.rf >= 0) {
        const core::Loc written = tables.step(g[piece.rf].before).request.loc;
        one = written.size == 8 && written.offset == whole.offset;
        if (one) source = value_written(g, tables, piece.rf);
      } else if (one && piece.rf != no_event) {
        source = tables.initial_value(whole);
        one = source.pointer;
      } else if (one && piece.promised) {
        const Promise& p = (*tables.promises())[piece.promise];
        source = p.whole_value;
        one = p.whole == whole;
      } else {
        one = false;
      }
      one = one && (first || source == pointer);
      pointer = source;
      first = false;
    }
    if (piece.piece == 0) break;
  }
  v.pointer = one || (name_bytes != 0 && whole.size < 8);
  // Of a name that is there in part nothing is left.
  if (!v.pointer) v.undefined |= name_bytes & ~core::size_mask(4);
  else core::settle_pointer(v, whole.size);
  v.bits &= ~v.undefined;
  return v;
}

core::Value value_written(const Graph& g, const Tables& tables, EventId w) {
  const Event& e = g[w];
  if (e.pieces == 1) return e.value;
  const core::Request& q = tables.step(e.before).request;
  if (q.kind != core::Kind::Rmw || q.op == core::RmwOp::Cas) return q.value;
  EventId last = g.first_piece(w);
  last = g[last].po_prev;
  return core::rmw_result(q.op, value_read(g, tables, last), q.value, q.loc.size);
}

namespace {

using Predecessors = std::vector<std::vector<EventId>>;

// Of the events from `from` on; a whole access is its first piece.
Predecessors predecessors(const Graph& g, EventId from) {
  const auto at_of = [&](EventId e) { return static_cast<std::size_t>(e - from); };
  Predecessors before(at_of(g.size()));
  for (EventId e = from; e < g.size(); ++e) {
    const Event& v = g[e];
    if (g.first_piece(e) < from) continue;
    auto& list = before[at_of(g.first_piece(e))];
    const auto add = [&](EventId p) {
      if (p >= from && g.first_piece(p) >= from) list.push_back(g.first_piece(p));
    };
    if (v.piece == 0) add(v.po_prev != no_event ? v.po_prev : g.threads[v.thread].created_by);
    if (v.kind == EventKind::Read && !v.asleep) add(v.rf);
    if (v.kind == EventKind::Join) add(g.threads[static_cast<ThreadId>(v.value.bits)].last);
    if (v.kind == EventKind::Write && v.co_prev != no_event) {
      add(v.co_prev);
      for (EventId r = g.readers(v.co_prev); r != no_event; r = g[r].next_reader)
        if (g.first_piece(r) != g.first_piece(e)) add(r);
    }
  }
  return before;
}

}  // namespace

bool whole_accesses_sequential(const Graph& g) {
  const EventId from = g.settled;  // nothing settled is on a cycle (graph.h)
  const auto at_of = [&](EventId e) { return static_cast<std::size_t>(e - from); };
  const Predecessors before = predecessors(g, from);
  std::vector<std::uint8_t> colour(before.size(), 0);
  std::vector<std::pair<EventId, std::size_t>> stack;  // depth first
  for (EventId root = from; root < g.size(); ++root) {
    if (colour[at_of(root)] != 0 || g[root].piece != 0) continue;
    colour[at_of(root)] = 1;
    stack.emplace_back(root, 0);
    while (!stack.empty()) {
      const std::size_t at = at_of(stack.back().first);
      if (stack.back().second == before[at].size()) {
        colour[at] = 2;
        stack.pop_back();
        continue;
      }
      const EventId next = before[at][stack.back().second++];
      const std::size_t to = at_of(next);
      if (colour[to] == 1) return false;
      if (colour[to] == 2) continue;
      colour[to] = 1;
      stack.emplace_back(next, 0);
    }
  }
  return true;
}

bool whole_accesses_hold(const Graph& g, const Tables& tables, const axioms::Model& model) {
  if (whole_accesses_sequential(g)) return true;
  if (model.global_order == axioms::GlobalOrder::Program) return false;
  const auto yes = accepted(g, tables, model);
  return !tables.drops().at(core::DropPlace::GraphAccesses, !yes, model.name) && *yes;
}

bool crosses_another_write(const Graph& g, EventId w) {
  const EventId before = g[w].po_prev;
  const auto other = [&](EventId v) { return g[v].piece > 0 && !g[v].rmw && g[g[v].po_prev].loc == g[before].loc; };
  for (EventId v = g[w].co_next; v != no_event; v = g[v].co_next) {
    if (!other(v)) continue;
    for (EventId u = g[before].co_prev; u >= 0; u = g[u].co_prev)
      if (u == g[v].po_prev) return true;
  }
  for (EventId v = g[w].co_prev; v >= 0; v = g[v].co_prev) {
    if (!other(v)) continue;
    for (EventId u = g[before].co_next; u != no_event; u = g[u].co_next)
      if (u == g[v].po_prev) return true;
  }
  return false;
}

}  // namespace heddle::graph
