// Which visited cubes contain a new one.
//
// A subsumes B if some injective renaming of A's processes and events puts A's literals among B's (or what B's imply by
// themselves), A's rows into B's, and A's promises onto B's, one by one. Then every state of B is one of A. A cube A
// without events and promises speaks of local cells only: it subsumes B whatever B promises, since what happened before
// B is a run by itself, with the promised writes still in their buffers.
//
// `Index` keeps cubes in a trie over their equalities with names of processes forgotten, sorted: a cube that subsumes B
// lies on a path of B's own equalities, so whole branches are passed over without a look at any cube. Hot, see
// bench/param_bench.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "array/cube.h"

namespace heddle::param {

bool subsumes(const array::Cube& a, const array::Cube& b, const array::System&);

// Renaming-invariant numbers of a cube's equalities, ascending, with repetitions.
std::vector<std::uint32_t> features(const array::Cube&);

class Index {
 public:
  explicit Index(const array::System& system) : system_(system), root_(std::make_unique<Node>()) {}

  void add(std::uint32_t id, const array::Cube*);  // the cube must stay where it is
  // Some cube of the index that subsumes `b`, or none.
  static constexpr std::uint32_t none = 0xffffffff;
  std::uint32_t subsumer(const array::Cube& b) const;
  // Removes all cubes that `a` subsumes, but `keep`; says how many.
  std::size_t remove_subsumed(const array::Cube& a, std::uint32_t keep);
  void clear() {
    root_ = std::make_unique<Node>();
    entries_.clear();
  }
  template <class F>
  void for_each(F f) const {
    for (const Entry& e : entries_) f(e.id, *e.cube);
  }

 private:
  struct Entry {
    std::uint32_t id;
    const array::Cube* cube;
    std::uint64_t mask;  // of its features, one bit each by hash
  };
  struct Node {
    std::vector<std::pair<std::uint32_t, std::unique_ptr<Node>>> children;  // by feature, ascending
    std::vector<Entry> entries;
  };
  std::uint32_t find(const Node&, const std::vector<std::uint32_t>& features, std::size_t from,
                     const array::Cube& b) const;
  void erase(const Entry&);

  const array::System& system_;
  std::unique_ptr<Node> root_;
  std::vector<Entry> entries_;
};

}  // namespace heddle::param
