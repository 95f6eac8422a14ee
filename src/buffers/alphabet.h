// Symbols of buffer languages. A word of a process's language is what its buffer holds, oldest store first, and at its
// end the local state in which the process then is. Store symbols are even, local states odd.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "buffers/automata.h"
#include "ir/program.h"

namespace heddle::buffers {

struct Store {
  std::uint32_t cell = 0;
  std::int32_t value = 0;
};

class Alphabet {
 public:
  Symbol store(std::uint32_t cell, std::int32_t value) {
    const std::uint64_t key = std::uint64_t{cell} << 32 | static_cast<std::uint32_t>(value);
    const auto [at, fresh] = numbers_.try_emplace(key, static_cast<Symbol>(2 * stores_.size()));
    if (fresh) stores_.push_back({cell, value});
    return at->second;
  }
  static Symbol local(std::uint32_t state) { return 2 * state + 1; }
  static bool is_local(Symbol s) { return (s & 1) != 0; }
  static std::uint32_t local_of(Symbol s) { return s >> 1; }
  const Store& store_of(Symbol s) const { return stores_[s >> 1]; }
  const std::vector<Store>& stores() const { return stores_; }
  // A store as the literature writes it: "(x,1)".
  std::string show(const ir::Program& program, Symbol s) const {
    return "(" + program.word_name(store_of(s).cell) + "," + program.show_value(store_of(s).cell, store_of(s).value) +
           ")";
  }

 private:
  std::unordered_map<std::uint64_t, Symbol> numbers_;
  std::vector<Store> stores_;
};

}  // namespace heddle::buffers
