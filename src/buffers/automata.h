// Languages of buffer contents as minimal deterministic automata, hash-consed: equal languages have equal numbers.
//
// Automata are partial and trimmed (every state lies on a way from the initial to an accepting state), so the empty
// language is one state that does not accept. State 0 is initial; states are numbered breadth first along sorted
// symbols, which makes the minimal automaton canonical. Operations that are asked for again and again are cached.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "core/budget.h"
#include "core/reason.h"

namespace heddle::buffers {

using Symbol = std::uint32_t;
using Language = std::uint32_t;

struct Arc {
  Symbol symbol = 0;
  std::uint32_t target = 0;
  friend bool operator==(const Arc&, const Arc&) = default;
};

struct Dfa {
  std::vector<std::uint32_t> first{0};  // of state q: its arcs are arcs[first[q]] … arcs[first[q + 1] - 1], by symbol
  std::vector<Arc> arcs;
  std::vector<bool> accepting;

  std::uint32_t size() const { return static_cast<std::uint32_t>(accepting.size()); }
  std::span<const Arc> of(std::uint32_t q) const { return {arcs.data() + first[q], arcs.data() + first[q + 1]}; }
  std::optional<std::uint32_t> next(std::uint32_t q, Symbol) const;
  friend bool operator==(const Dfa&, const Dfa&) = default;
};

// An automaton in the making: nondeterministic, with empty moves.
struct Nfa {
  struct State {
    std::vector<Arc> arcs;
    std::vector<std::uint32_t> empty;
    bool accepting = false;
  };
  std::vector<State> states;

  std::uint32_t add() {
    if (spare_.empty()) {
      states.emplace_back();
    } else {
      states.push_back(std::move(spare_.back()));
      spare_.pop_back();
    }
    return static_cast<std::uint32_t>(states.size() - 1);
  }
  // Keeps the memory: one automaton after the other is made without allocation.
  void clear() {
    for (State& state : states) {
      state.arcs.clear();
      state.empty.clear();
      state.accepting = false;
      spare_.push_back(std::move(state));
    }
    states.clear();
  }

 private:
  std::vector<State> spare_;
};

// Empties a hash table that is used again and again. Clearing takes time by its size: a large one is given back.
template <class Table>
void clear_table(Table& table) {
  constexpr std::size_t large = 4096;
  if (table.bucket_count() > large) table = Table();
  else table.clear();
}

// Minimisation, with memory that is used again.
class Minimiser {
 public:
  static constexpr std::uint32_t dead = 0xffffffff;
  // By state: its class of equivalent states; `dead` for states from which no word is accepted.
  const std::vector<std::uint32_t>& classes(const Dfa&);

 private:
  void distances(const Dfa&);
  std::uint32_t refine(const Dfa&);

  // Length of a shortest word that is accepted from each state, then numbers of classes.
  std::vector<std::uint32_t> class_;
  std::vector<std::uint32_t> next_, order_;
  std::vector<std::uint32_t> back_, first_back_;  // arcs backwards, by target
  std::vector<std::uint32_t> signatures_, first_signature_;
};

class Automata {
 public:
  Automata();

  // Determinisation may take exponential time and space. With a budget, operations give up when it is spent or an
  // automaton grows beyond `most_states`: their results then mean nothing, and stopped() says why.
  static constexpr std::size_t most_states = 200'000;
  void watch(const core::Budget& budget) { budget_ = &budget; }
  const std::optional<core::Reason>& stopped() const { return stopped_; }
  // To be asked in loops, with the number of states made so far: give up?
  bool gives_up(std::size_t states);

  Language empty() const { return empty_; }     // no word
  Language word(std::span<const Symbol> word);  // that word alone
  Language language(const Nfa&, std::uint32_t initial);
  const Dfa& dfa(Language l) const { return automata_[l]; }
  std::size_t count() const { return automata_.size(); }
  std::uint64_t states() const { return states_; }  // of all automata so far: a measure of the work done

  Language append(Language, Symbol);  // L · {s}
  Language derive(Language, Symbol);  // { w | s w ∈ L }
  // { u w | u s w ∈ L, no symbol of u is `same` }: s leaves from behind others. Cached: `same` depends on s alone.
  Language remove_first(Language, Symbol, const std::function<bool(Symbol)>& same);
  Language repeat(Language, const std::vector<std::vector<Symbol>>& words);  // L · {w₁, …, wₙ}*
  Language quotient(Language, Symbol);                                       // { w | w s ∈ L }
  Language unite(std::span<const Language>);
  Language filter(Language, const std::function<bool(Symbol)>& keep);  // the words all of whose symbols are kept
  bool includes(Language big, Language small);
  std::vector<Symbol> shortest(Language) const;  // a shortest word; requires that there is one

 private:
  Language intern(Dfa);
  Language canonical(const Dfa&, std::uint32_t initial);

  // Scratch memory of operations that run all the time (bench/buffers_bench.cpp: lamport).
  using Set = std::vector<std::uint32_t>;
  struct SetHash {
    std::size_t operator()(const Set&) const;
  };
  Minimiser minimiser_;
  std::unordered_map<Set, std::uint32_t, SetHash> set_numbers_;
  std::vector<const Set*> sets_;
  std::vector<std::uint32_t> stamps_;
  std::uint32_t stamp_ = 0;
  void new_stamp(std::size_t size);  // of so many places, none has it
  std::vector<Arc> leaving_;
  std::vector<std::uint32_t> number_, order_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs_;

  std::deque<Dfa> automata_;
  std::unordered_multimap<std::uint64_t, Language> index_;
  std::unordered_map<std::uint64_t, Language> derived_, removed_, appended_;
  std::unordered_map<std::uint64_t, bool> included_;
  Language empty_ = 0;
  std::uint64_t states_ = 0;
  const core::Budget* budget_ = nullptr;
  std::optional<core::Reason> stopped_;
};

}  // namespace heddle::buffers
