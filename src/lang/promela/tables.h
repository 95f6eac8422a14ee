// What the names of a model stand for in its ir::Program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <unordered_map>
#include <vector>

#include "ir/program.h"
#include "lang/promela/flow.h"
#include "lang/promela/syntax.h"

namespace heddle::promela {

// A scalar part of a symbol, over all array dimensions on the way to it.
struct Leaf {
  std::string path;  // ".a.b"; empty for the symbol itself
  TypeName type;
  std::vector<std::uint32_t> dims;  // lengths of the arrays, outermost first
  std::uint32_t var = ir::none;
  const Symbol* declared = nullptr;  // the symbol, or the field: its initial values are those of each of its arrays

  // The initial value of a cell, or null.
  const Node* initial(std::uint32_t cell) const {
    const std::size_t at = declared->listed ? cell % declared->length : 0;
    return at < declared->initial.size() ? &declared->initial[at] : nullptr;
  }
};

// One process of a proctype: there from the start, or a place for one that `run` makes. Places of a proctype are
// taken and left like a stack, since only the youngest process can end (as in SPIN).
struct Instance {
  std::uint32_t proctype = 0;
  std::uint32_t process = 0;  // of the program
  bool initial = false;
  std::int32_t pid = 0;              // if initial
  std::uint32_t pid_var = ir::none;  // if not
  std::uint32_t begin = 0;           // control state where it begins; flow states follow
  std::uint32_t dead = ir::none;     // control state before its birth and after its end
};

struct Tables {
  Model model;
  std::vector<Flow> flows;  // by proctype
  std::vector<Instance> instances;
  std::vector<std::vector<std::uint32_t>> places;  // by proctype: instances that `run` makes, in order
  std::vector<bool> capped;                        // by proctype: there may be more than its places
  // Storage of symbols: [0] globals, [1 + i] locals of instance i.
  std::vector<std::unordered_map<std::uint32_t, std::vector<Leaf>>> storage;
  // Channels that a declaration makes, likewise.
  std::vector<std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>> channels;
  std::uint32_t count_var = ir::none;                           // _nr_pr
  std::uint32_t mark_var = ir::none;                            // what `sync_stores` stores to
  std::unordered_map<std::uint32_t, std::uint32_t> identities;  // length -> constant array 0, 1, 2 …: checks an index
  std::unordered_map<std::size_t, std::uint32_t> usable;  // items of a message, or `none` for any -> constant array
                                                          // of the channels, see Lowering::channel_tables
};

inline constexpr std::uint32_t globally = none;  // "instance" of conditions outside of processes

}  // namespace heddle::promela
