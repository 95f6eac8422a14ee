// SPDX-License-Identifier: Apache-2.0
#include "graph/fingerprint.h"

namespace heddle::graph {

namespace {

struct Mixer {
  Fingerprint f{0x243f6a8885a308d3u, 0x13198a2e03707344u};
  void add(std::uint64_t v) {
    f.low = (f.low ^ v) * 0x9e3779b97f4a7c15u;
    f.low ^= f.low >> 31;
    f.high = (f.high + v) * 0xd1342543de82ef95u + 1;
    f.high ^= f.high >> 29;
  }
};

}  // namespace

Fingerprint fingerprint(const Graph& g) {
  // A write is named by its thread and place in it; events of one thread come in program order, threads by number.
  const auto name = [&](EventId w) {
    return w < 0 ? ~std::uint64_t{0} - static_cast<std::uint64_t>(w == no_event)
                 : (std::uint64_t{g[w].thread} << 32) | g[w].index;
  };
  std::vector<Mixer> threads(g.threads.size());
  for (EventId e = 0; e < g.size(); ++e) {
    Mixer& m = threads[g[e].thread];
    m.add(static_cast<std::uint64_t>(g[e].kind));  // its location follows from what the thread has read
    m.add(g[e].value.bits);
    if (g[e].kind == EventKind::Read) m.add(name(g[e].rf));
    if (g[e].kind == EventKind::Write) m.add(name(g[e].co_prev));
  }
  Mixer all;
  for (const Mixer& m : threads) {
    all.add(m.f.low);
    all.add(m.f.high);
  }
  return all.f;
}

}  // namespace heddle::graph
