// SPDX-License-Identifier: Apache-2.0
#include "graph/hidden_loads.h"

#include <algorithm>

#include "core/address_deps.h"
#include "graph/consistency.h"

namespace heddle::graph {

// Does the value of the read r tell of loads that r does not depend on? An acquire is before all that follows.
bool HiddenLoads::hides(const Graph& g, EventId r) const {
  const EventId w = g[r].rf;
  if (w < g.settled || g[w].thread != g[r].thread) return false;
  return core::has_mark(tables_.deps(g[w].before), core::hides) || (g[w].rmw && !is_acquire(g[g.read_of(w)].order));
}

bool HiddenLoads::behind(const Graph& g, EventId id) {
  const Event& e = g[id];
  if (e.kind == EventKind::Read && hides(g, id)) book_.note_hiding_read();
  const core::Deps& d = tables_.deps(e.before);
  if (d.addr.empty() && d.data.empty() && d.ctrl.empty()) return false;
  if (core::has_mark(d, core::hidden)) return true;
  if (!book_.has_hiding_reads()) return false;
  std::uint32_t loads = e.loads, first = loads;
  for (const core::LoadSet* s : {&d.addr, &d.data, &d.ctrl})
    if (!s->empty()) first = std::min(first, s->front());
  const auto depends = [&](const core::LoadSet& s) { return std::ranges::binary_search(s, loads); };
  for (EventId p = e.po_prev; p >= g.settled && loads > first; p = g[p].po_prev) {
    if (!is_load(g[p])) continue;
    --loads;
    if ((depends(d.addr) || depends(d.data) || depends(d.ctrl)) && hides(g, p)) return true;
  }
  return false;
}

}  // namespace heddle::graph
