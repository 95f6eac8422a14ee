// SPDX-License-Identifier: Apache-2.0
#include "buffers/automata.h"

#include <algorithm>
#include <span>
#include <unordered_set>

namespace heddle::buffers {
namespace {

constexpr std::uint32_t nothing = 0xffffffff;

std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) { return std::uint64_t{a} << 32 | b; }

std::uint64_t mix(std::uint64_t h, std::uint64_t v) {
  h = (h ^ v) * 0xff51afd7ed558ccd;
  return h ^ (h >> 32);
}

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

}  // namespace

void Minimiser::distances(const Dfa& d) {
  first_back_.assign(d.size() + 1, 0);
  for (const Arc& a : d.arcs) ++first_back_[a.target + 1];
  for (std::uint32_t q = 0; q < d.size(); ++q) first_back_[q + 1] += first_back_[q];
  back_.resize(d.arcs.size());
  next_.assign(first_back_.begin(), first_back_.end());
  for (std::uint32_t q = 0; q < d.size(); ++q)
    for (const Arc& a : d.of(q)) back_[next_[a.target]++] = q;
  class_.assign(d.size(), dead);
  order_.clear();
  for (std::uint32_t q = 0; q < d.size(); ++q) {
    if (!d.accepting[q]) continue;
    class_[q] = 0;
    order_.push_back(q);
  }
  for (std::size_t i = 0; i < order_.size(); ++i)
    for (std::uint32_t e = first_back_[order_[i]]; e < first_back_[order_[i] + 1]; ++e) {
      if (class_[back_[e]] != dead) continue;
      class_[back_[e]] = class_[order_[i]] + 1;
      order_.push_back(back_[e]);
    }
}

// One round of Moore's partition refinement: states with the same class and the same arcs stay together. Gives the number
// of classes.
std::uint32_t Minimiser::refine(const Dfa& d) {
  signatures_.clear();
  first_signature_.assign(d.size() + 1, 0);
  for (std::uint32_t q = 0; q < d.size(); ++q) {
    if (class_[q] != dead) {
      signatures_.push_back(class_[q]);
      for (const Arc& a : d.of(q)) {
        if (class_[a.target] == dead) continue;
        signatures_.push_back(a.symbol);
        signatures_.push_back(class_[a.target]);
      }
    }
    first_signature_[q + 1] = static_cast<std::uint32_t>(signatures_.size());
  }
  const auto signature = [&](std::uint32_t q) {
    return std::span(signatures_.data() + first_signature_[q], signatures_.data() + first_signature_[q + 1]);
  };
  std::ranges::sort(order_, [&](std::uint32_t q, std::uint32_t r) {
    return std::ranges::lexicographical_compare(signature(q), signature(r));
  });
  std::uint32_t count = 0;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    if (i != 0 && !std::ranges::equal(signature(order_[i - 1]), signature(order_[i]))) ++count;
    class_[order_[i]] = count;
  }
  return order_.empty() ? 0 : count + 1;
}

// It starts from the distances, which a state's language decides: long chains are told apart at once instead of one by
// one.
const std::vector<std::uint32_t>& Minimiser::classes(const Dfa& d) {
  distances(d);
  for (std::uint32_t count = 0;;) {
    const std::uint32_t now = refine(d);
    if (now == count) return class_;
    count = now;
  }
}

void Automata::new_stamp(std::size_t size) {
  if (stamps_.size() < size) stamps_.resize(size, 0);
  if (++stamp_ != 0) return;
  std::ranges::fill(stamps_, 0);
  stamp_ = 1;
}

std::size_t Automata::SetHash::operator()(const Set& set) const {
  std::uint64_t h = set.size();
  for (const std::uint32_t x : set) h = mix(h, x);
  return h;
}

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
  const std::vector<std::uint32_t>& cls = minimiser_.classes(d);
  if (cls[initial] == Minimiser::dead) return empty_;
  number_.assign(d.size(), nothing);  // of classes
  order_.assign(1, initial);          // a state of each class
  number_[cls[initial]] = 0;
  Dfa out;
  std::vector<Arc>& arcs = leaving_;
  for (std::size_t i = 0; i < order_.size(); ++i) {
    arcs.clear();
    for (const Arc& a : d.of(order_[i])) {
      if (cls[a.target] == Minimiser::dead) continue;
      std::uint32_t& n = number_[cls[a.target]];
      if (n == nothing) {
        n = static_cast<std::uint32_t>(order_.size());
        order_.push_back(a.target);
      }
      arcs.push_back({a.symbol, n});
    }
    add_state(out, d.accepting[order_[i]], arcs);
  }
  return intern(std::move(out));
}

// The subset construction.
Language Automata::language(const Nfa& nfa, std::uint32_t initial) {
  const auto close = [&](Set& set) {
    new_stamp(nfa.states.size());
    for (const std::uint32_t q : set) stamps_[q] = stamp_;
    for (std::size_t i = 0; i < set.size(); ++i)
      for (const std::uint32_t t : nfa.states[set[i]].empty)
        if (stamps_[t] != stamp_) {
          stamps_[t] = stamp_;
          set.push_back(t);
        }
    std::ranges::sort(set);
  };
  clear_table(set_numbers_);
  sets_.clear();
  const auto number_of = [&](Set set) {
    close(set);
    const auto [at, fresh] = set_numbers_.try_emplace(std::move(set), static_cast<std::uint32_t>(sets_.size()));
    if (fresh) sets_.push_back(&at->first);
    return at->second;
  };
  number_of({initial});
  Dfa d;
  std::vector<Arc> arcs;
  for (std::size_t i = 0; i < sets_.size(); ++i) {
    if (gives_up(sets_.size())) return empty_;
    const Set& set = *sets_[i];
    std::vector<Arc>& out = leaving_;
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
  // Pairs of states that have been met, in a table if it is small.
  constexpr std::uint64_t small_table = 1U << 16;
  const std::uint64_t table = std::uint64_t{b.size()} * s.size();
  std::unordered_set<std::uint64_t> seen;
  new_stamp(std::min(table, small_table));
  const auto meet = [&](std::uint32_t p, std::uint32_t q) {
    if (table > small_table ? !seen.insert(pair_key(p, q)).second : stamps_[p * s.size() + q] == stamp_) return;
    if (table <= small_table) stamps_[p * s.size() + q] = stamp_;
    pairs_.emplace_back(p, q);
  };
  pairs_.clear();
  meet(0, 0);
  bool inside = true;
  while (inside && !pairs_.empty()) {
    const auto [p, q] = pairs_.back();
    pairs_.pop_back();
    inside = !s.accepting[q] || b.accepting[p];
    for (const Arc& a : s.of(q)) {
      const auto target = b.next(p, a.symbol);
      inside &= target.has_value();  // every state of `small` lies on a way to acceptance
      if (!inside) break;
      meet(*target, a.target);
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
