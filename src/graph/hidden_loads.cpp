// SPDX-License-Identifier: Apache-2.0
#include "graph/hidden_loads.h"

#include <algorithm>
#include <ranges>

#include "core/address_deps.h"
#include "graph/consistency.h"

namespace heddle::graph {

// What the value of the read r tells of loads that are not in `control`, on which r does not depend. An acquire is before
// all that follows.
HiddenLoads::What HiddenLoads::hidden_by(const Graph& g, EventId r, const core::LoadSet& control) const {
  const EventId w = g[r].rf;
  if (w < g.settled || g[w].thread != g[r].thread) return What::Nothing;
  const core::Deps& d = tables_.deps(g[w].before);
  const auto real = std::ranges::subrange(d.ctrl.begin(), std::ranges::lower_bound(d.ctrl, core::by_address));
  if (core::has_mark(d, core::hides) && !std::ranges::includes(control, real)) return What::Picked;
  if (!g[w].rmw) return What::Nothing;
  const Event& read = g[g.read_of(w)];
  return is_acquire(read.order) || std::ranges::binary_search(control, read.loads) ? What::Nothing : What::Read;
}

HiddenLoads::What HiddenLoads::behind(const Graph& g, EventId id) {
  const Event& e = g[id];
  if (e.kind == EventKind::Read && hidden_by(g, id, {}) != What::Nothing) book_.note_hiding_read();
  const core::Deps& d = tables_.deps(e.before);
  if (d.addr.empty() && d.data.empty() && d.ctrl.empty()) return What::Nothing;
  if (core::has_mark(d, core::hidden)) return What::Picked;
  if (!book_.has_hiding_reads()) return What::Nothing;
  std::uint32_t loads = e.loads, first = loads;
  for (const core::LoadSet* s : {&d.addr, &d.data, &d.ctrl})
    if (!s->empty()) first = std::min(first, s->front());
  const auto depends = [&](const core::LoadSet& s) { return std::ranges::binary_search(s, loads); };
  What most = What::Nothing;
  for (EventId p = e.po_prev; p >= g.settled && loads > first && most != What::Picked; p = g[p].po_prev) {
    if (!is_load(g[p])) continue;
    --loads;
    if (depends(d.addr) || depends(d.data) || depends(d.ctrl)) most = std::max(most, hidden_by(g, p, d.ctrl));
  }
  return most;
}

}  // namespace heddle::graph
