// SPDX-License-Identifier: Apache-2.0
#include "graph/loop_bound.h"

#include <string>
#include <tuple>

namespace heddle::graph {

bool LoopBound::counts(const Event& e, core::Site site) const {
  return tables_.step(e.before).request.site == site && e.piece == 0 && !(e.rmw && e.kind == EventKind::Write) &&
         !(e.spurious && e.kind == EventKind::Choose);
}

// The nearest event at the place knows how often the thread was there before.
std::uint32_t LoopBound::rounds(const Graph& g, EventId last, core::Site site) const {
  for (EventId e = last; e != no_event; e = g[e].po_prev)
    if (counts(g[e], site)) return g[e].rounds + 1;
  return 0;
}

bool LoopBound::reached(const Graph& g, ThreadId t) const {
  const StateId now = g.threads[t].state;
  const core::Site site = tables_.step(now).request.site;
  if (rounds(g, g.threads[t].last, site) < bound_) return false;
  if (site == core::no_site || !program_.place(site).library) return true;
  const auto call = [&](StateId state) {
    for (const core::SourcePlace& place : program_.stack(tables_.local(state)))
      if (!place.library) return std::tuple(place.file, place.line, place.column);
    return std::tuple(std::string(), 0U, 0U);
  };
  const auto here = call(now);
  std::uint32_t seen = 0;
  for (EventId e = g.threads[t].last; e != no_event; e = g[e].po_prev)
    if (counts(g[e], site) && call(g[e].before) == here && ++seen >= bound_) return true;
  return false;
}

// Has the thread come back to its present local state again and again?
bool LoopBound::repeats(const Graph& g, ThreadId t) const {
  const ThreadState& s = g.threads[t];
  if (s.count == 0 || g.settled == g.size()) return false;
  std::uint32_t seen = 0;
  for (EventId e = s.last; e >= g.settled; e = g[e].po_prev) seen += tables_.same(g[e].before) == tables_.same(s.state);
  return seen >= often_;
}

}  // namespace heddle::graph
