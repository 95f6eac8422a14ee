// SPDX-License-Identifier: Apache-2.0
#include "graph/local_order.h"

#include "core/rmw.h"
#include "graph/to_execution.h"

namespace heddle::graph {

namespace {
constexpr std::uint32_t unknown_source = none, other_write = 0, same_write_as_before = 1;  // otherwise: 1 + distance
}  // namespace

std::size_t LocalOrder::Hash::operator()(const Key& k) const {
  std::uint64_t h = (std::uint64_t{k.parent} << 32 | k.place) * 0x9e3779b97f4a7c15u;
  h ^= h >> 29;
  h = (h ^ (std::uint64_t{k.deps} << 32 | k.label)) * 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  return (h ^ k.source) * 0x9e3779b97f4a7c15u;
}

// Where a read reads from, as far as the order of its own thread may depend on it: an own write, the same write as the
// nearest earlier access of the location if that is a read, or any other write. By coherence the reads of one write
// that have no own write between them are neighbours in this sense, so that neighbours tell all; and a thread that has
// read a write before has accessed nothing else of the location since. (Not so while a promise is to be kept: a read of
// the promised write may stand between two of an older one, and what is held for these runs must not be taken for that
// of runs in which the later two read one write.)
std::uint32_t LocalOrder::source_of(const Graph& g, EventId id, bool linked) const {
  const Event& e = g[id];
  if (e.kind != EventKind::Read) return other_write;
  if (!linked) return unknown_source;
  if (e.rf >= g.settled && g[e.rf].thread == e.thread) return 1 + (e.index - g[e.rf].index);
  if (e.rf != no_event && g.promises == 0) {
    for (EventId r = g.readers(e.rf); r != no_event; r = g[r].next_reader)
      if (g[r].thread == e.thread && g[r].index < e.index && r >= g.settled) return same_write_as_before;
    return other_write;
  }
  for (EventId p = e.po_prev; p >= g.settled; p = g[p].po_prev) {
    const Event& q = g[p];
    if (q.loc != e.loc || q.asleep) continue;
    if (q.kind != EventKind::Read) break;
    const bool same =
        e.rf != no_event ? q.rf == e.rf : e.promised && q.promised && q.rf == no_event && q.promise == e.promise;
    return same ? same_write_as_before : other_write;
  }
  return other_write;
}

// All that to_execution.h makes of the event, but for its value, location and relations to others.
std::uint32_t LocalOrder::label_of(const Event& e) const {
  std::uint32_t label = static_cast<std::uint32_t>(e.kind) | static_cast<std::uint32_t>(e.order) << 4 |
                        (e.pending ? 1U << 7 : 0) | (e.rmw ? 1U << 8 : 0) | (e.asleep ? 1U << 9 : 0) |
                        std::uint32_t{e.tag} << 16;
  if (e.kind == EventKind::Read || e.kind == EventKind::Write) {
    const core::Request& q = tables_.step(e.before).request;
    label |= static_cast<std::uint32_t>(q.order) << 10 | (e.rmw && q.op == core::RmwOp::Cas ? 1U << 13 : 0) |
             (e.rmw && core::uses_old_value(q.op) ? 1U << 15 : 0);
  }
  return label;
}

std::uint32_t LocalOrder::place_of(const Event& e) { return e.kind == EventKind::Free ? e.value.object() : e.loc; }

std::uint32_t LocalOrder::node(const Graph& g, EventId id, bool linked) {
  const Event& e = g[id];
  const bool first = e.po_prev < g.settled;
  constexpr std::uint32_t is_first = 1U << 14;
  const Key key{.parent = first ? e.loads : g[e.po_prev].local,
                .label = label_of(e) | (first ? is_first : 0),
                .place = place_of(e),
                .deps = model_.needs_deps ? tables_.deps_number(e.before) : 0,
                .source = source_of(g, id, linked)};
  if (!first)
    if (const std::uint32_t last = nodes_[key.parent].last_child; last != none && nodes_[last].key == key) return last;
  const auto [at, fresh] = numbers_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back({.key = key, .linked = linked});
  if (!first) nodes_[key.parent].last_child = at->second;
  return at->second;
}

namespace {

// Everything before a creation precedes it, and a join precedes everything after it.
template <unsigned W>
void add_creation_and_join(const Graph& g, EventId last, const ExecutionBuilder<W>& builder,
                           const axioms::Execution<W>& x, axioms::Relation<W>& order) {
  const EventId from = g[last].settled;
  for (EventId e = last; e >= from; e = g[e].po_prev) {
    if (g[e].kind == EventKind::Spawn)
      for (EventId p = g[e].po_prev; p >= from; p = g[p].po_prev) order.add(builder.place(p), builder.place(e));
    if (g[e].kind == EventKind::Join) order[builder.place(e)] |= x.po[builder.place(e)];
  }
}

}  // namespace

// Holds the pairs of `order` that end in event id, less those that are a pair of `order` followed by one of `local`.
template <unsigned W>
std::uint32_t LocalOrder::hold(const Graph& g, EventId id, const ExecutionBuilder<W>& builder,
                               const axioms::Relation<W>& order, const axioms::Relation<W>& local) {
  axioms::EventSet<W> before;
  for (EventId p = g[id].po_prev; p >= g[id].settled; p = g[p].po_prev)
    if (local.has(builder.place(p), builder.place(id))) before.add(builder.place(p));
  std::uint32_t distance = 1, held = 0;
  for (EventId p = g[id].po_prev; p >= g[id].settled; p = g[p].po_prev, ++distance) {
    const auto& row = order[builder.place(p)];
    if (!row.has(builder.place(id)) || row.meets(before)) continue;
    distances_.push_back(distance);
    ++held;
  }
  return held;
}

template <unsigned W>
bool LocalOrder::ask(const Graph& g, EventId id) {
  thread_local ExecutionBuilder<W> builder;
  thread_local axioms::Execution<W> x;
  Node& node = nodes_[g[id].local];
  if (!builder.build_thread(g, tables_, model_, x, id, node.linked)) return false;
  auto local = model_.local.get<W>()(x);
  add_creation_and_join(g, id, builder, x, local);
  local = closure(local);
  node.begin = static_cast<std::uint32_t>(distances_.size());
  node.local = hold(g, id, builder, local, local);
  if (!model_.strong) return true;
  auto fenced = model_.fenced.get<W>()(x), strong = model_.strong.get<W>()(x);
  add_creation_and_join(g, id, builder, x, fenced);
  add_creation_and_join(g, id, builder, x, strong);
  node.fenced = hold(g, id, builder, fenced, local);
  node.strong = hold(g, id, builder, strong, local);
  return true;
}

void LocalOrder::find(const Graph& g, EventId e) {
  const bool told = ask<1>(g, e) || ask<4>(g, e) || ask<16>(g, e) || ask<64>(g, e);
  Node& n = nodes_[g[e].local];
  if (tables_.drops().at(core::DropPlace::GraphAxioms, !told, model_.name)) n.begin = n.local = n.fenced = n.strong = 0;
}

}  // namespace heddle::graph
