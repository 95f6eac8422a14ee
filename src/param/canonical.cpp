// SPDX-License-Identifier: Apache-2.0
#include "param/canonical.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace heddle::param {

using array::Atom;
using array::Cube;
using array::Process;
using array::Row;

namespace {

constexpr unsigned max_orders = 120;

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h ^= v + 0x9e3779b97f4a7c15ULL + (h << 6) + (h >> 2);
  h *= 0xff51afd7ed558ccdULL;
  return h ^ (h >> 32);
}

// What an atom says of process p: where p stands in it and how the others there look by their colours.
std::uint64_t shape(Atom a, unsigned p, const std::array<std::uint64_t, 32>& colour) {
  const auto role = [&](Process q) { return q == p ? 1 : q == array::no_process ? 2 : colour[q]; };
  std::uint64_t h = mix(static_cast<std::uint64_t>(a.kind()), a.is_any() ? 0 : a.symbol());
  if (a.kind() == Atom::Kind::Special && !a.is_process()) return h;
  h = mix(h, role(a.a()));
  h = mix(h, role(a.b()));
  return a.is_read() ? mix(h, role(a.reader())) : h;
}

void refine(const Cube& cube, unsigned named, std::array<std::uint64_t, 32>& colour) {
  std::array<std::uint64_t, 32> next = colour;
  for (unsigned p = 0; p < cube.processes; ++p) {
    std::uint64_t sum = 0;
    for (const array::Literal& l : cube.literals) {
      const std::uint64_t h =
          mix(mix(shape(l.x, p, colour), shape(l.y, p, colour)),
              mix(static_cast<std::uint64_t>(l.op), static_cast<std::uint64_t>(l.c < 0 ? -l.c : l.c)));
      // Equalities may be turned round by a renaming: both orders look the same.
      const std::uint64_t g =
          mix(mix(shape(l.y, p, colour), shape(l.x, p, colour)),
              mix(static_cast<std::uint64_t>(l.op), static_cast<std::uint64_t>(l.c < 0 ? -l.c : l.c)));
      sum += l.op == logic::Op::Equal || l.op == logic::Op::NotEqual ? h + g : h;
    }
    for (const array::LinearLiteral& l : cube.linear)
      for (const auto& [a, f] : l.sum) sum += mix(shape(a, p, colour), 7);
    for (const array::CellRow& c : cube.cell_rows)
      sum += mix(shape(c.cell, p, colour), static_cast<std::uint64_t>(std::popcount(c.row)));
    sum = mix(sum, static_cast<std::uint64_t>(std::popcount(cube.all_rows[p])) * 64 +
                       static_cast<std::uint64_t>(std::popcount(cube.write_rows[p])));
    for (const array::Promise& q : cube.promises) sum += q.process == p ? 0x51ed : 0;
    next[p] = p < named ? p : mix(colour[p], sum);
  }
  colour = next;
}

// Orders the nodes by what their reads and rows say under the given order of processes.
void order_nodes(const Cube& cube, array::Renaming& r) {
  std::array<std::pair<std::uint64_t, std::uint8_t>, 32> keys;
  for (unsigned n = 0; n < cube.nodes; ++n)
    keys[n] = {static_cast<std::uint64_t>(std::popcount(cube.node_rows[n])), static_cast<std::uint8_t>(n)};
  const auto place = [&](Atom a) {
    return a.is_read() ? Atom::cell(a.symbol(), a.a() == array::no_process ? a.a() : r.process[a.a()],
                                    a.b() == array::no_process ? a.b() : r.process[a.b()])
                             .bits()
                       : 0U;
  };
  for (const array::Literal& l : cube.literals)
    for (const Atom a : {l.x, l.y})
      if (a.is_read())
        keys[a.node()].first +=
            mix(mix(place(a), r.process[a.reader()]),
                mix(static_cast<std::uint64_t>(l.op), static_cast<std::uint64_t>(l.c < 0 ? -l.c : l.c)));
  for (unsigned n = 0; n < cube.nodes; ++n)
    keys[n].first += (cube.other_all >> n & 1) * 17 + (cube.other_write >> n & 1) * 19;
  for (unsigned p = 0; p < cube.processes; ++p)
    for (unsigned n = 0; n < cube.nodes; ++n)
      keys[n].first += ((cube.all_rows[p] >> n & 1) != 0 ? mix(11, r.process[p]) : 0) +
                       ((cube.write_rows[p] >> n & 1) != 0 ? mix(13, r.process[p]) : 0);
  std::sort(keys.begin(), keys.begin() + cube.nodes);
  for (unsigned i = 0; i < cube.nodes; ++i) r.node[keys[i].second] = static_cast<std::uint8_t>(i);
}

}  // namespace

std::array<Process, 32> canonicalise(Cube& cube, const array::System& system) {
  std::array<std::uint64_t, 32> colour{};
  for (unsigned k = 0; k < system.named(); ++k) colour[k] = k;
  refine(cube, system.named(), colour);
  refine(cube, system.named(), colour);

  std::array<std::uint8_t, 32> order{};
  std::iota(order.begin(), order.begin() + cube.processes, std::uint8_t{0});
  const auto anonymous = order.begin() + std::min<unsigned>(system.named(), cube.processes);
  std::sort(anonymous, order.begin() + cube.processes,
            [&](auto a, auto b) { return colour[a] != colour[b] ? colour[a] < colour[b] : a < b; });

  array::Renaming r;
  Cube best;
  std::array<Process, 32> best_order{};
  bool first = true;
  unsigned tried = 0;
  for (;;) {
    r.process.fill(array::no_process);
    r.node.fill(32);
    for (unsigned i = 0; i < cube.processes; ++i) r.process[order[i]] = static_cast<Process>(i);
    order_nodes(cube, r);
    Cube candidate = array::rename(cube, r, cube.processes, cube.nodes);
    if (first || candidate < best) {
      best = std::move(candidate);
      best_order = r.process;
      first = false;
    }
    if (++tried >= max_orders) break;
    // The next permutation within runs of equal colours; runs are independent counters.
    bool more = false;
    for (unsigned from = std::min<unsigned>(system.named(), cube.processes); from < cube.processes;) {
      unsigned to = from + 1;
      while (to < cube.processes && colour[order[to]] == colour[order[from]]) ++to;
      if (std::next_permutation(order.begin() + from, order.begin() + to)) {
        more = true;
        break;
      }
      from = to;
    }
    if (!more) break;
  }
  cube = std::move(best);
  return best_order;
}

std::uint64_t hash(const Cube& cube) {
  std::uint64_t h = mix(cube.processes, cube.nodes);
  for (const array::Literal& l : cube.literals)
    h = mix(mix(h, (std::uint64_t{l.x.bits()} << 32) | l.y.bits()),
            (static_cast<std::uint64_t>(l.c) << 2) | static_cast<std::uint64_t>(l.op));
  for (const array::LinearLiteral& l : cube.linear)
    for (const auto& [a, f] : l.sum) h = mix(mix(h, a.bits()), static_cast<std::uint64_t>(f));
  for (const Row r : cube.node_rows) h = mix(h, r);
  for (unsigned p = 0; p < cube.processes; ++p)
    h = mix(h, (std::uint64_t{cube.all_rows[p]} << 32) | cube.write_rows[p]);
  h = mix(h, (std::uint64_t{cube.other_all} << 32) | cube.other_write);
  for (const array::CellRow& c : cube.cell_rows) h = mix(h, (std::uint64_t{c.cell.bits()} << 32) | c.row);
  for (const array::Promise& p : cube.promises) h = mix(mix(h, p.process * 2U + (p.passed ? 1 : 0)), p.row);
  return h;
}

}  // namespace heddle::param
