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
    states.emplace_back();
    return static_cast<std::uint32_t>(states.size() - 1);
  }
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
