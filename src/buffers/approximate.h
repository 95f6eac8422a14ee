// Over-approximation of buffer languages by finitely many: one automaton for each process and location, as Linden and
// Wolper keep them for pso (TACAS 2013), and of each only what a window of n stores shows.
//
// A language L of buffer contents that end in a local state is replaced by α(L) ⊇ L: the contents whose projection to
// every location, with the same local state behind it, consists of factors of n + 1 symbols that such a projection of L
// has, the first n of which begin it. (Factors of the projection's words that end in that very local state; languages
// so given are called strictly locally testable.) Under tso a buffer is one queue, and is not split by location.
//
// α is a closure operator: L ⊆ α(L) = α(α(L)). A program with finitely many stores and local states has finitely many
// languages α(L), so that a search over them ends; and the words stay in program order, so that what is proved with
// them is certified like an exact proof.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unordered_map>

#include "buffers/alphabet.h"
#include "ir/buffer_sets.h"

namespace heddle::buffers {

class Approximation {
 public:
  // Requires window > 0.
  Approximation(Automata& automata, const Alphabet& alphabet, ir::StoreOrder order, unsigned window)
      : automata_(automata), alphabet_(alphabet), order_(order), window_(window) {}

  Language operator()(Language);

 private:
  // Words of l without stores to other cells; with order Program: l itself.
  Language project(Language l, std::uint32_t cell) const;
  Language look_through_window(Language) const;
  // All contents that have one of these projections to each of the cells.
  Language shuffle(const std::vector<std::uint32_t>& cells, const std::vector<Language>& projections) const;

  Automata& automata_;
  const Alphabet& alphabet_;
  const ir::StoreOrder order_;
  const unsigned window_;
  std::unordered_map<Language, Language> known_;
};

}  // namespace heddle::buffers
