// SPDX-License-Identifier: Apache-2.0
#include "graph/to_execution.h"

namespace heddle::graph {

namespace {

template <unsigned W>
std::optional<bool> accepted_with(const Graph& g, const Tables& tables, const axioms::Model& model, Steps steps,
                                  const std::optional<EventPair>& edge, EventId from, EventId to) {
  thread_local ExecutionBuilder<W> builder;
  thread_local axioms::Execution<W> x;
  if (!builder.build(g, tables, model, x, steps, edge, from, to)) return std::nullopt;
  return model.accepts(x);
}

// The end of the phase that begins there: its first serial event belongs to it.
EventId end_of_phase(const Graph& g, EventId from) {
  EventId e = from;
  while (e < g.size() && g[e].settled <= from) ++e;
  return e;
}

// Coherence keeps to the order of phases: older writes come first, and only the last of them is read later.
bool coherent_with_older(const Graph& g, EventId from, EventId to) {
  for (EventId e = from; e < to; ++e) {
    const EventId w = g[e].kind == EventKind::Read ? g[e].rf : g[e].kind == EventKind::Write ? g[e].co_prev : from;
    if (w == no_event || w >= from) continue;
    const EventId next = g.co_next(w);
    if (next != no_event && next < from) return false;
  }
  return true;
}

}  // namespace

std::optional<bool> accepted(const Graph& g, const Tables& tables, const axioms::Model& model, Steps steps,
                             std::optional<EventPair> edge, std::optional<EventId> from) {
  const EventId begin = from.value_or(g.settled), end = from ? end_of_phase(g, *from) : g.size();
  if (!coherent_with_older(g, begin, end)) return false;
  if (const auto yes = accepted_with<1>(g, tables, model, steps, edge, begin, end)) return yes;
  if (const auto yes = accepted_with<4>(g, tables, model, steps, edge, begin, end)) return yes;
  if (const auto yes = accepted_with<16>(g, tables, model, steps, edge, begin, end)) return yes;
  return accepted_with<64>(g, tables, model, steps, edge, begin, end);
}

std::optional<bool> accepted_by_phases(const Graph& g, const Tables& tables, const axioms::Model& model, Steps steps) {
  for (EventId from = 0; from < g.size();) {
    const EventId end = end_of_phase(g, from);
    if (end > from + 1) {  // a single event is a serial one
      const auto yes = accepted(g, tables, model, steps, {}, from);
      if (!yes || !*yes) return yes;
    }
    from = end < g.size() ? g[end].settled : end;
  }
  return true;
}

}  // namespace heddle::graph
