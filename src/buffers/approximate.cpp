// SPDX-License-Identifier: Apache-2.0
#include "buffers/approximate.h"

#include <algorithm>
#include <map>
#include <set>

namespace heddle::buffers {

Language Approximation::operator()(Language l) {
  if (const auto found = known_.find(l); found != known_.end()) return found->second;
  std::set<std::uint32_t> stored;
  for (const Arc& arc : automata_.dfa(l).arcs)
    if (!Alphabet::is_local(arc.symbol)) stored.insert(alphabet_.store_of(arc.symbol).cell);
  Language result = l;
  if (order_ == ir::StoreOrder::Program) {
    result = look_through_window(l);
  } else if (!stored.empty()) {
    const std::vector<std::uint32_t> cells(stored.begin(), stored.end());
    std::vector<Language> projections;
    for (const std::uint32_t cell : cells) projections.push_back(look_through_window(project(l, cell)));
    result = shuffle(cells, projections);
  }
  if (automata_.stopped()) return automata_.empty();
  known_.emplace(l, result);
  known_.emplace(result, result);
  return result;
}

Language Approximation::project(Language l, std::uint32_t cell) const {
  const Dfa& d = automata_.dfa(l);
  Nfa nfa;
  nfa.states.resize(d.size());
  for (std::uint32_t q = 0; q < d.size(); ++q) {
    nfa.states[q].accepting = d.accepting[q];
    for (const Arc& arc : d.of(q)) {
      if (Alphabet::is_local(arc.symbol) || alphabet_.store_of(arc.symbol).cell == cell)
        nfa.states[q].arcs.push_back(arc);
      else nfa.states[q].empty.push_back(arc.target);
    }
  }
  return automata_.language(nfa, 0);
}

// For each local state in which a word may end: the states of its automaton are the last stores that were read, at most
// a window of them.
Language Approximation::look_through_window(Language l) const {
  const Dfa& d = automata_.dfa(l);
  std::vector<std::vector<std::uint32_t>> before(d.size());
  std::map<Symbol, std::vector<std::uint32_t>> last;  // by local state: where it may be read
  for (std::uint32_t q = 0; q < d.size(); ++q)
    for (const Arc& arc : d.of(q)) {
      if (Alphabet::is_local(arc.symbol)) last[arc.symbol].push_back(q);
      else before[arc.target].push_back(q);
    }
  Nfa nfa;
  const std::uint32_t start = nfa.add(), end = nfa.add();
  nfa.states[end].accepting = true;
  using Window = std::vector<Symbol>;
  for (const auto& [local, places] : last) {
    std::vector<bool> leads(d.size(), false);  // to the local state
    std::vector<std::uint32_t> back = places;
    for (const std::uint32_t q : back) leads[q] = true;
    for (std::size_t i = 0; i < back.size(); ++i)
      for (const std::uint32_t q : before[back[i]])
        if (!leads[q]) {
          leads[q] = true;
          back.push_back(q);
        }
    std::map<Window, std::uint32_t> windows;
    std::set<std::pair<std::uint32_t, Window>> seen{{0, {}}};
    std::vector<std::pair<std::uint32_t, Window>> todo{{0, {}}};
    const auto state_of = [&](const Window& w) {
      const auto [at, fresh] = windows.try_emplace(w, 0);
      if (fresh) at->second = nfa.add();
      return at->second;
    };
    const std::uint32_t begin = state_of({});
    nfa.states[start].empty.push_back(begin);
    while (!todo.empty()) {
      if (automata_.gives_up(seen.size())) return automata_.empty();
      const auto [q, window] = todo.back();
      todo.pop_back();
      const std::uint32_t from = state_of(window);
      for (const Arc& arc : d.of(q)) {
        if (arc.symbol == local) nfa.states[from].arcs.push_back({local, end});
        if (Alphabet::is_local(arc.symbol) || !leads[arc.target]) continue;
        Window next = window;
        if (next.size() == window_) next.erase(next.begin());
        next.push_back(arc.symbol);
        const std::uint32_t to = state_of(next);
        nfa.states[from].arcs.push_back({arc.symbol, to});
        if (seen.emplace(arc.target, next).second) todo.emplace_back(arc.target, std::move(next));
      }
    }
  }
  for (Nfa::State& state : nfa.states) {
    std::ranges::sort(state.arcs, {}, [](const Arc& a) { return std::pair(a.symbol, a.target); });
    const auto rest = std::ranges::unique(state.arcs);
    state.arcs.erase(rest.begin(), rest.end());
  }
  return automata_.language(nfa, start);
}

Language Approximation::shuffle(const std::vector<std::uint32_t>& cells,
                                const std::vector<Language>& projections) const {
  using Tuple = std::vector<std::uint32_t>;  // a state of each automaton
  Nfa nfa;
  const std::uint32_t end = nfa.add();
  nfa.states[end].accepting = true;
  std::map<Tuple, std::uint32_t> numbers;
  std::vector<Tuple> todo;
  const auto node = [&](Tuple tuple) {
    const auto [at, fresh] = numbers.try_emplace(std::move(tuple), 0);
    if (fresh) {
      at->second = nfa.add();
      todo.push_back(at->first);
    }
    return at->second;
  };
  const std::uint32_t start = node(Tuple(cells.size(), 0));
  while (!todo.empty()) {
    if (automata_.gives_up(numbers.size())) return automata_.empty();
    const Tuple tuple = std::move(todo.back());
    todo.pop_back();
    const std::uint32_t from = numbers.at(tuple);
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (const Arc& arc : automata_.dfa(projections[i]).of(tuple[i])) {
        if (Alphabet::is_local(arc.symbol)) {
          // Read by all at once; the first one asks the others.
          const auto reads = [&](std::size_t j) {
            return automata_.dfa(projections[j]).next(tuple[j], arc.symbol).has_value();
          };
          bool all = i == 0;
          for (std::size_t j = 1; all && j < cells.size(); ++j) all = reads(j);
          if (all) nfa.states[from].arcs.push_back({arc.symbol, end});
          continue;
        }
        Tuple next = tuple;
        next[i] = arc.target;
        const std::uint32_t to = node(std::move(next));
        nfa.states[from].arcs.push_back({arc.symbol, to});
      }
  }
  return automata_.language(nfa, start);
}

}  // namespace heddle::buffers
