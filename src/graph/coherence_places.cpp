// SPDX-License-Identifier: Apache-2.0
#include "graph/coherence_places.h"

#include <algorithm>

namespace heddle::graph {

void CoherencePlaces::find(Graph& g, EventId w, std::vector<EventId>& out) {
  const std::size_t begin = out.size();
  const bool revisits = g.first_piece(w) == g.revisitor && g[g.revisited].loc == g[w].loc;
  consistency_.options(g, w, revisits ? g.revisited : no_event, out);
  const EventId own = g[w].rmw ? g[g.read_of(w)].rf : no_event;  // a promised one takes its place when it comes
  const auto forbidden = [&](EventId after) {
    if (!symmetry_.place_in_order(g, w, after)) return true;
    if (own != no_event && after != own) return true;
    const EventId next = g.co_next(after);
    return next != no_event && g[next].rmw && g[g.read_of(next)].rf == after;
  };
  out.erase(std::remove_if(out.begin() + static_cast<std::ptrdiff_t>(begin), out.end(), forbidden), out.end());
}

bool CoherencePlaces::room_for_all_pieces(Graph& g, EventId w) {
  const ThreadId t = g[w].thread;
  for (EventId piece = w;; piece = steps_.write(g, t)) {
    scratch_.clear();
    find(g, piece, scratch_);
    const std::size_t count = scratch_.size();  // more than one where a promise is still to be kept
    const bool room = count > 0, last = count > 1 || g[piece].piece + 1 == g[piece].pieces;
    if (room) {
      g.link_write(piece, scratch_.back());
      consistency_.linked(g, piece);
    }
    if (!room || last) {
      const bool fits = room && (count > 1 || consistency_.consistent(g, piece, no_event));
      g.truncate(w);
      steps_.write(g, t);
      return fits;
    }
  }
}

}  // namespace heddle::graph
