// SPDX-License-Identifier: Apache-2.0
#include "graph/local_order.h"

#include "graph/to_execution.h"

namespace heddle::graph {

namespace {
constexpr std::uint32_t unknown_source = none, other_write = 0, same_write_as_before = 1;  // otherwise: 1 + distance
}  // namespace

std::size_t LocalOrder::Hash::operator()(const Key& k) const {
  std::uint64_t h = (std::uint64_t{k.parent} << 32 | k.before) * 0x9e3779b97f4a7c15u;
  h ^= h >> 29;
  h = (h ^ (std::uint64_t{k.after} << 32 | k.label)) * 0xd6e8feb86659fd93u;
  h ^= h >> 32;
  return (h ^ k.source) * 0x9e3779b97f4a7c15u;
}

// Where a read reads from, as far as the order of its own thread may depend on it: an own write, the same write as the
// nearest earlier access of the location if that is a read, or any other write. By coherence the reads of one write
// that have no own write between them are neighbours in this sense, so that neighbours tell all.
std::uint32_t LocalOrder::source_of(const Graph& g, EventId id, bool linked) const {
  const Event& e = g[id];
  if (e.kind != EventKind::Read) return other_write;
  if (!linked) return unknown_source;
  if (e.rf >= g.settled && g[e.rf].thread == e.thread) return 1 + (e.index - g[e.rf].index);
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

std::uint32_t LocalOrder::node(const Graph& g, EventId id, bool linked) {
  const Event& e = g[id];
  Key key{};
  key.label = static_cast<std::uint32_t>(e.kind) | static_cast<std::uint32_t>(e.order) << 4 |
              (e.pending ? 1U << 8 : 0) | (e.rmw ? 1U << 9 : 0) | (e.asleep ? 1U << 10 : 0);
  if (e.po_prev >= g.settled) {
    key.parent = g[e.po_prev].local;
  } else {
    key.parent = e.index;
    key.label |= 1U << 11 | e.thread << 12;
  }
  key.before = e.before;
  key.after = e.after;
  key.source = source_of(g, id, linked);
  const auto [at, fresh] = numbers_.try_emplace(key, static_cast<std::uint32_t>(nodes_.size()));
  if (fresh) nodes_.push_back({none, 0, linked});
  return at->second;
}

template <unsigned W>
bool LocalOrder::ask(const Graph& g, EventId id) {
  thread_local ExecutionBuilder<W> builder;
  thread_local axioms::Execution<W> x;
  Node& node = nodes_[g[id].local];
  if (!builder.build_thread(g, tables_, model_, x, id, node.linked)) return false;
  auto order = model_.local.get<W>()(x);
  const auto place = [&](EventId e) { return builder.place(e); };
  for (EventId e = id; e >= g.settled; e = g[e].po_prev) {
    if (g[e].kind == EventKind::Spawn)
      for (EventId p = g[e].po_prev; p >= g.settled; p = g[p].po_prev) order.add(place(p), place(e));
    if (g[e].kind == EventKind::Join) order[place(e)] |= x.po[place(e)];
  }
  order = closure(order);
  node.begin = static_cast<std::uint32_t>(distances_.size());
  std::vector<EventId> direct;
  std::uint32_t distance = 1;
  for (EventId p = g[id].po_prev; p >= g.settled; p = g[p].po_prev, ++distance) {
    bool follows = false;
    for (const EventId d : direct) follows = follows || order.has(place(p), place(d));
    if (follows || !order.has(place(p), place(id))) continue;
    direct.push_back(p);
    distances_.push_back(distance);
  }
  node.count = static_cast<std::uint32_t>(direct.size());
  return true;
}

void LocalOrder::find(const Graph& g, EventId e) {
  const bool told = ask<1>(g, e) || ask<4>(g, e) || ask<16>(g, e) || ask<64>(g, e);
  Node& n = nodes_[g[e].local];
  if (tables_.drops().at(core::DropPlace::GraphAxioms, !told, model_.name)) n = {0, 0, n.linked};
}

}  // namespace heddle::graph
