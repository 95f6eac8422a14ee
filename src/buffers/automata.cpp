// SPDX-License-Identifier: Apache-2.0
#include "buffers/automata.h"

#include <algorithm>
#include <map>

namespace heddle::buffers {
namespace {

constexpr std::uint32_t nothing = 0xffffffff;

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0xff51afd7ed558ccd;
  return h ^ (h >> 32);
}

struct VectorHash {
  std::size_t operator()(const std::vector<std::uint32_t>& v) const {
    std::uint64_t h = v.size();
    for (const std::uint32_t x : v) h = mix(h, x);
    return h;
  }
};

std::uint64_t hash_of(const Dfa& d) {
  std::uint64_t h = d.size();
  for (std::uint32_t q = 0; q < d.size(); ++q) {
    h = mix(h, d.first[q] << 1 | static_cast<std::uint32_t>(d.accepting[q]));
    for (const Arc& a : d.of(q)) h = mix(h, pair_key(a.symbol, a.target));
  }
  return h;
}

void add_state(Dfa& d, bool accepting, std::span<const Arc> arcs) {
  d.accepting.push_back(accepting);
  d.arcs.insert(d.arcs.end(), arcs.begin(), arcs.end());
  d.first.push_back(static_cast<std::uint32_t>(d.arcs.size()));
}

// Length of a shortest word that is accepted from each state; `nothing` if there is none.
std::vector<std::uint32_t> distances(const Dfa& d) {
  std::vector<std::vector<std::uint32_t>> back(d.size());
  std::vector<std::uint32_t> distance(d.size(), nothing), order;
  for (std::uint32_t q = 0; q < d.size(); ++q) {
    for (const Arc& a : d.of(q)) back[a.target].push_back(q);
    if (!d.accepting[q]) continue;
    distance[q] = 0;
    order.push_back(q);
  }
  for (std::size_t i = 0; i < order.size(); ++i)
    for (const std::uint32_t r : back[order[i]]) {
      if (distance[r] != nothing) continue;
      distance[r] = distance[order[i]] + 1;
      order.push_back(r);
    }
  return distance;
}

// Moore's partition refinement over live states: class of each state, `nothing` for the others. It starts from the
// distances, which a state's language decides: long chains are told apart at once instead of one by one.
std::vector<std::uint32_t> classes_of(const Dfa& d, const std::vector<std::uint32_t>& distance) {
  std::vector<std::uint32_t> cls = distance;
  std::size_t count = 0;
  for (;;) {
    std::unordered_map<std::vector<std::uint32_t>, std::uint32_t, VectorHash> ids;
    std::vector<std::uint32_t> next(d.size(), nothing), signature;
    for (std::uint32_t q = 0; q < d.size(); ++q) {
      if (cls[q] == nothing) continue;
      signature.assign(1, cls[q]);
      for (const Arc& a : d.of(q)) {
        if (cls[a.target] == nothing) continue;
        signature.push_back(a.symbol);
        signature.push_back(cls[a.target]);
      }
      next[q] = ids.try_emplace(signature, static_cast<std::uint32_t>(ids.size())).first->second;
    }
    cls = std::move(next);
    if (ids.size() == count) return cls;
    count = ids.size();
  }
}

}  // namespace

std::optional<std::uint32_t> Dfa::next(std::uint32_t q, Symbol symbol) const {
  const auto list = of(q);
  const auto found = std::ranges::lower_bound(list, symbol, {}, &Arc::symbol);
  if (found == list.end() || found->symbol != symbol) return std::nullopt;
  return found->target;
}

Automata::Automata() {
  Dfa none;
  add_state(none, false, {});
  empty_ = intern(std::move(none));
}

bool Automata::gives_up(std::size_t states) {
  if (stopped_) return true;
  if (states > most_states)
    stopped_ = core::Reason{core::Reason::Kind::TooLarge,
                            "a process has too many local states, or its buffer too many kinds of contents"};
  else if (budget_ != nullptr && states % 1024 == 1023) stopped_ = budget_->over();
  return stopped_.has_value();
}

Language Automata::intern(Dfa d) {
  const std::uint64_t hash = hash_of(d);
  for (auto [at, end] = index_.equal_range(hash); at != end; ++at)
    if (automata_[at->second] == d) return at->second;
  states_ += d.size();
  automata_.push_back(std::move(d));
  const auto number = static_cast<Language>(automata_.size() - 1);
  index_.emplace(hash, number);
  return number;
}

// The minimal automaton of what d accepts from `initial`.
Language Automata::canonical(const Dfa& d, std::uint32_t initial) {
  const std::vector<std::uint32_t> distance = distances(d);
  if (distance[initial] == nothing) return empty_;
  const std::vector<std::uint32_t> cls = classes_of(d, distance);
  std::vector<std::uint32_t> number(d.size(), nothing);  // of classes
  std::vector<std::uint32_t> order{initial};             // a state of each class
  number[cls[initial]] = 0;
  Dfa out;
  std::vector<Arc> arcs;
  for (std::size_t i = 0; i < order.size(); ++i) {
    arcs.clear();
    for (const Arc& a : d.of(order[i])) {
      if (cls[a.target] == nothing) continue;
      std::uint32_t& n = number[cls[a.target]];
      if (n == nothing) {
        n = static_cast<std::uint32_t>(order.size());
        order.push_back(a.target);
      }
      arcs.push_back({a.symbol, n});
    }
    add_state(out, d.accepting[order[i]], arcs);
  }
  return intern(std::move(out));
}

// The subset construction.
Language Automata::language(const Nfa& nfa, std::uint32_t initial) {
  using Set = std::vector<std::uint32_t>;
  std::vector<std::uint32_t> stamp(nfa.states.size(), 0);
  std::uint32_t now = 0;
  const auto close = [&](Set& set) {
    ++now;
    for (const std::uint32_t q : set) stamp[q] = now;
    for (std::size_t i = 0; i < set.size(); ++i)
      for (const std::uint32_t t : nfa.states[set[i]].empty)
        if (stamp[t] != now) {
          stamp[t] = now;
          set.push_back(t);
        }
    std::ranges::sort(set);
  };
  std::unordered_map<Set, std::uint32_t, VectorHash> numbers;
  std::vector<const Set*> order;
  const auto number_of = [&](Set set) {
    close(set);
    const auto [at, fresh] = numbers.try_emplace(std::move(set), static_cast<std::uint32_t>(order.size()));
    if (fresh) order.push_back(&at->first);
    return at->second;
  };
  number_of({initial});
  Dfa d;
  std::vector<Arc> out, arcs;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (gives_up(order.size())) return empty_;
    const Set& set = *order[i];
    out.clear();
    bool accepting = false;
    for (const std::uint32_t q : set) {
      accepting |= nfa.states[q].accepting;
      out.insert(out.end(), nfa.states[q].arcs.begin(), nfa.states[q].arcs.end());
    }
    std::ranges::sort(out, [](const Arc& a, const Arc& b) {
      return a.symbol != b.symbol ? a.symbol < b.symbol : a.target < b.target;
    });
    arcs.clear();
    for (std::size_t at = 0; at < out.size();) {
      const Symbol symbol = out[at].symbol;
      Set targets;
      for (; at < out.size() && out[at].symbol == symbol; ++at)
        if (targets.empty() || targets.back() != out[at].target) targets.push_back(out[at].target);
      arcs.push_back({symbol, number_of(std::move(targets))});
    }
    add_state(d, accepting, arcs);
  }
  return canonical(d, 0);
}

Language Automata::word(std::span<const Symbol> symbols) {
  Dfa d;
  for (std::uint32_t i = 0; i < symbols.size(); ++i) {
    const Arc arc{symbols[i], i + 1};
    add_state(d, false, {&arc, 1});
  }
  add_state(d, true, {});
  return intern(std::move(d));
}

namespace {

Nfa as_nfa(const Dfa& d) {
  Nfa nfa;
  for (std::uint32_t q = 0; q < d.size(); ++q) {
    nfa.add();
    nfa.states[q].arcs.assign(d.of(q).begin(), d.of(q).end());
    nfa.states[q].accepting = d.accepting[q];
  }
  return nfa;
}

}  // namespace

Language Automata::append(Language l, Symbol symbol) {
  const auto [at, fresh] = appended_.try_emplace(pair_key(l, symbol), 0);
  if (!fresh) return at->second;
  Nfa nfa = as_nfa(automata_[l]);
  const std::uint32_t end = nfa.add();
  for (std::uint32_t q = 0; q < end; ++q) {
    if (!nfa.states[q].accepting) continue;
    nfa.states[q].accepting = false;
    nfa.states[q].arcs.push_back({symbol, end});
  }
  nfa.states[end].accepting = true;
  return appended_[pair_key(l, symbol)] = language(nfa, 0);
}

Language Automata::derive(Language l, Symbol symbol) {
  const std::uint64_t key = pair_key(l, symbol);
  if (const auto found = derived_.find(key); found != derived_.end()) return found->second;
  const auto target = automata_[l].next(0, symbol);
  const Language result = target ? canonical(automata_[l], *target) : empty_;
  derived_.emplace(key, result);
  return result;
}

Language Automata::remove_first(Language l, Symbol symbol, const std::function<bool(Symbol)>& same) {
  const std::uint64_t key = pair_key(l, symbol);
  if (const auto found = removed_.find(key); found != removed_.end()) return found->second;
  const Dfa& d = automata_[l];
  const std::uint32_t n = d.size();
  Nfa nfa;
  nfa.states.resize(2 * std::size_t{n});  // before and after the removal
  for (std::uint32_t q = 0; q < n; ++q) {
    for (const Arc& a : d.of(q)) {
      if (a.symbol == symbol) nfa.states[q].empty.push_back(n + a.target);
      else if (!same(a.symbol)) nfa.states[q].arcs.push_back(a);
      nfa.states[n + q].arcs.push_back({a.symbol, n + a.target});
    }
    nfa.states[n + q].accepting = d.accepting[q];
  }
  const Language result = language(nfa, 0);
  removed_.emplace(key, result);
  return result;
}

Language Automata::repeat(Language l, const std::vector<std::vector<Symbol>>& words) {
  Nfa nfa = as_nfa(automata_[l]);
  const auto n = static_cast<std::uint32_t>(nfa.states.size());
  const std::uint32_t again = nfa.add();
  nfa.states[again].accepting = true;
  for (std::uint32_t q = 0; q < n; ++q)
    if (nfa.states[q].accepting) nfa.states[q].empty.push_back(again);
  for (const std::vector<Symbol>& word : words) {
    std::uint32_t at = again;
    for (std::size_t i = 0; i < word.size(); ++i) {
      const std::uint32_t next = i + 1 == word.size() ? again : nfa.add();
      nfa.states[at].arcs.push_back({word[i], next});
      at = next;
    }
  }
  return language(nfa, 0);
}

Language Automata::quotient(Language l, Symbol symbol) {
  const Dfa& d = automata_[l];
  Nfa nfa = as_nfa(d);
  for (std::uint32_t q = 0; q < d.size(); ++q) {
    const auto target = d.next(q, symbol);
    nfa.states[q].accepting = target && d.accepting[*target];
  }
  return language(nfa, 0);
}

Language Automata::unite(std::span<const Language> languages) {
  Nfa nfa;
  const std::uint32_t start = nfa.add();
  for (const Language l : languages) {
    const Dfa& d = automata_[l];
    const auto base = static_cast<std::uint32_t>(nfa.states.size());
    for (std::uint32_t q = 0; q < d.size(); ++q) {
      const std::uint32_t at = nfa.add();
      nfa.states[at].accepting = d.accepting[q];
      for (const Arc& a : d.of(q)) nfa.states[at].arcs.push_back({a.symbol, base + a.target});
    }
    nfa.states[start].empty.push_back(base);
  }
  return language(nfa, start);
}

Language Automata::filter(Language l, const std::function<bool(Symbol)>& keep) {
  Nfa nfa = as_nfa(automata_[l]);
  for (Nfa::State& state : nfa.states) std::erase_if(state.arcs, [&](const Arc& a) { return !keep(a.symbol); });
  return language(nfa, 0);
}

bool Automata::includes(Language big, Language small) {
  if (big == small || small == empty_) return true;
  if (big == empty_) return false;
  const std::uint64_t key = pair_key(big, small);
  if (const auto found = included_.find(key); found != included_.end()) return found->second;
  const Dfa &b = automata_[big], &s = automata_[small];
  std::unordered_map<std::uint64_t, bool> seen{{0, true}};
  std::vector<std::pair<std::uint32_t, std::uint32_t>> todo{{0, 0}};
  bool inside = true;
  while (inside && !todo.empty()) {
    const auto [p, q] = todo.back();
    todo.pop_back();
    inside = !s.accepting[q] || b.accepting[p];
    for (const Arc& a : s.of(q)) {
      const auto target = b.next(p, a.symbol);
      inside &= target.has_value();  // every state of `small` lies on a way to acceptance
      if (!inside) break;
      if (seen.try_emplace(pair_key(*target, a.target), true).second) todo.emplace_back(*target, a.target);
    }
  }
  included_.emplace(key, inside);
  return inside;
}

std::vector<Symbol> Automata::shortest(Language l) const {
  const Dfa& d = automata_[l];
  std::vector<std::uint32_t> from(d.size(), nothing), order{0};
  std::vector<Symbol> by(d.size(), 0);
  from[0] = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::uint32_t q = order[i];
    if (d.accepting[q]) {
      std::vector<Symbol> word;
      for (std::uint32_t at = q; at != 0; at = from[at]) word.push_back(by[at]);
      std::ranges::reverse(word);
      return word;
    }
    for (const Arc& a : d.of(q)) {
      if (from[a.target] != nothing) continue;
      from[a.target] = q;
      by[a.target] = a.symbol;
      order.push_back(a.target);
    }
  }
  return {};
}

}  // namespace heddle::buffers
