// SPDX-License-Identifier: Apache-2.0
#include "ltl/reduce.h"

#include <algorithm>
#include <numeric>
#include <vector>

namespace heddle::ltl {
namespace {

// Automata beyond this are left unmerged: the simulation relation is quadratic in the number of states.
constexpr std::size_t most_simulated = 1500;

using Edges = std::vector<std::vector<Edge>>;

bool same_component(const Components& c, std::uint32_t p, std::uint32_t q) { return c.of[p] == c.of[q]; }

void keep_useful(Automaton& a) {
  const Components c = components(a);
  // Components are numbered from the leaves up: those below are judged first.
  std::vector<bool> useful = c.accepting;
  std::vector<std::vector<std::uint32_t>> members(useful.size());
  for (std::uint32_t q = 0; q < a.states(); ++q) members[c.of[q]].push_back(q);
  for (std::size_t i = 0; i < members.size(); ++i)
    for (const std::uint32_t q : members[i])
      for (const Edge& e : a.edges[q]) useful[i] = useful[i] || useful[c.of[e.target]];
  for (std::uint32_t q = 0; q < a.states(); ++q) {
    std::erase_if(a.edges[q], [&](const Edge& e) { return !useful[c.of[e.target]]; });
    if (a.by_state) {
      if (!c.accepting[c.of[q]])
        for (Edge& e : a.edges[q]) e.marks = 0;
      continue;
    }
    for (Edge& e : a.edges[q])
      if (!same_component(c, q, e.target) || !c.accepting[c.of[q]]) e.marks = 0;
  }
  compact(a);
}

// Whether each cycle of the component has an edge with the mark: what is left without these edges has no cycle.
bool on_every_cycle(const Automaton& a, const Components& c, std::uint32_t component, Marks mark) {
  std::vector<std::uint32_t> entering(a.states(), 0), ready;
  for (std::uint32_t q = 0; q < a.states(); ++q)
    if (c.of[q] == component)
      for (const Edge& e : a.edges[q])
        if (c.of[e.target] == component && (e.marks & mark) == 0) ++entering[e.target];
  std::size_t left = 0;
  for (std::uint32_t q = 0; q < a.states(); ++q)
    if (c.of[q] == component) {
      ++left;
      if (entering[q] == 0) ready.push_back(q);
    }
  while (!ready.empty()) {
    const std::uint32_t q = ready.back();
    ready.pop_back();
    --left;
    for (const Edge& e : a.edges[q])
      if (c.of[e.target] == component && (e.marks & mark) == 0 && --entering[e.target] == 0) ready.push_back(e.target);
  }
  return left == 0;
}

// Drops set `i` from all marks.
void drop_set(Automaton& a, unsigned i) {
  const Marks below = (Marks{1} << i) - 1;
  for (auto& out : a.edges)
    for (Edge& e : out) e.marks = (e.marks & below) | ((e.marks >> 1) & ~below);
  --a.sets;
}

void simplify_acceptance(Automaton& a) {
  if (a.by_state) return;
  const Components c = components(a);
  const auto inside = [&](std::uint32_t component, auto&& visit) {
    for (std::uint32_t q = 0; q < a.states(); ++q)
      if (c.of[q] == component)
        for (Edge& e : a.edges[q])
          if (c.of[e.target] == component) visit(e);
  };
  Marks needed = 0;
  bool rejecting_cycle = false;
  for (std::uint32_t k = 0; k < c.accepting.size(); ++k) {
    rejecting_cycle |= !c.accepting[k] && !c.trivial[k];
    if (!c.accepting[k]) continue;
    Marks full = 0;
    for (unsigned i = 0; i < a.sets; ++i)
      if (on_every_cycle(a, c, k, Marks{1} << i)) full |= Marks{1} << i;
    // Set i follows from set j if every edge of j is one of i.
    for (unsigned i = 0; i < a.sets; ++i)
      for (unsigned j = 0; j < a.sets; ++j) {
        const Marks mi = Marks{1} << i, mj = Marks{1} << j;
        if (i == j || (full & (mi | mj)) != 0) continue;
        bool follows = true;
        inside(k, [&](const Edge& e) { follows &= (e.marks & mj) == 0 || (e.marks & mi) != 0; });
        if (follows) full |= mi;
      }
    inside(k, [&](Edge& e) { e.marks |= full; });
    needed |= a.every_mark() & ~full;
  }
  if (rejecting_cycle && needed == 0) needed = 1;  // one set that these cycles, which bear no marks, do not meet
  for (unsigned i = a.sets; i-- > 0;)
    if ((needed >> i & 1) == 0) drop_set(a, i);
}

// Simulation ---------------------------------------------------------------------------------------------------------

class Simulation {
 public:
  // `may` says which pairs may be in the relation at all.
  template <class May>
  Simulation(Bdd& letters, const Edges& edges, May may)
      : letters_(letters), edges_(edges), n_(edges.size()), simulates_(n_ * n_) {
    for (std::uint32_t p = 0; p < n_; ++p)
      for (std::uint32_t q = 0; q < n_; ++q) simulates_[p * n_ + q] = may(p, q);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::uint32_t p = 0; p < n_; ++p)
        for (std::uint32_t q = 0; q < n_; ++q)
          if (p != q && below(p, q) && !answers(p, q)) {
            simulates_[p * n_ + q] = false;
            changed = true;
          }
    }
  }

  // q simulates p.
  bool below(std::uint32_t p, std::uint32_t q) const { return simulates_[p * n_ + q]; }
  bool equal(std::uint32_t p, std::uint32_t q) const { return below(p, q) && below(q, p); }

 private:
  bool answers(std::uint32_t p, std::uint32_t q) {
    for (const Edge& e : edges_[p]) {
      Set open = e.label;
      for (const Edge& f : edges_[q]) {
        if ((e.marks & ~f.marks) == 0 && below(e.target, f.target)) open = letters_.without(open, f.label);
        if (open == none) break;
      }
      if (open != none) return false;
    }
    return true;
  }

  Bdd& letters_;
  const Edges& edges_;
  std::size_t n_;
  std::vector<char> simulates_;
};

Edges reversed(const Edges& edges) {
  Edges result(edges.size());
  for (std::uint32_t q = 0; q < edges.size(); ++q)
    for (const Edge& e : edges[q]) result[e.target].push_back({e.label, q, e.marks});
  return result;
}

// Drops the letters of an edge for which its state has a better edge.
void drop_worse_edges(Bdd& letters, Edges& edges, const Simulation& simulation) {
  for (auto& out : edges)
    for (std::size_t i = 0; i < out.size(); ++i)
      for (std::size_t j = 0; j < out.size() && out[i].label != none; ++j) {
        const Edge &e = out[i], &f = out[j];
        if (i == j || (e.marks & ~f.marks) != 0 || !simulation.below(e.target, f.target)) continue;
        // Of two that are equally good the first stays.
        if (e.marks == f.marks && simulation.below(f.target, e.target) && i < j) continue;
        out[i].label = letters.without(e.label, f.label);
      }
  for (auto& out : edges) std::erase_if(out, [](const Edge& e) { return e.label == none; });
}

// Which states mean acceptance by themselves (by_state): their outgoing edges bear the mark.
std::vector<bool> accepting_states(const Automaton& a) {
  std::vector<bool> result(a.states(), false);
  for (std::uint32_t q = 0; q < a.states(); ++q)
    result[q] = a.by_state && !a.edges[q].empty() && a.edges[q][0].marks != 0;
  return result;
}

void merge_by_simulation(Automaton& a, bool backwards) {
  const std::vector<bool> accepting = accepting_states(a);
  Edges edges = backwards ? reversed(a.edges) : a.edges;
  const auto may = [&](std::uint32_t p, std::uint32_t q) {
    if (accepting[p] && !accepting[q]) return false;
    return !backwards || p != a.initial || q == a.initial;
  };
  const Simulation simulation(*a.letters, edges, may);
  drop_worse_edges(*a.letters, edges, simulation);
  if (backwards) edges = reversed(edges);
  std::vector<std::uint32_t> representative(a.states());
  for (std::uint32_t q = 0; q < a.states(); ++q) {
    representative[q] = q;
    for (std::uint32_t p = 0; p < q; ++p)
      if (simulation.equal(p, q)) {
        representative[q] = p;
        break;
      }
  }
  Edges merged(a.states());
  for (std::uint32_t q = 0; q < a.states(); ++q) {
    // Forwards the edges of one of them serve for all; backwards they are added up.
    if (!backwards && representative[q] != q) continue;
    for (Edge e : edges[q]) {
      e.target = representative[e.target];
      merged[representative[q]].push_back(e);
    }
  }
  a.initial = representative[a.initial];
  a.edges = std::move(merged);
  compact(a);
}

std::size_t edge_count(const Automaton& a) {
  return std::accumulate(a.edges.begin(), a.edges.end(), std::size_t{0},
                         [](std::size_t sum, const auto& out) { return sum + out.size(); });
}

}  // namespace

void reduce(Automaton& a) {
  compact(a);
  for (;;) {
    const std::size_t states = a.states(), edges = edge_count(a);
    keep_useful(a);
    simplify_acceptance(a);
    if (a.states() <= most_simulated) {
      merge_by_simulation(a, false);
      merge_by_simulation(a, true);
    }
    if (a.states() == states && edge_count(a) == edges) break;
  }
}

}  // namespace heddle::ltl
