// Which loads each word of a local state depends on. Kept beside the state, never hashed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/program.h"

namespace heddle::vm {

class LoadBits {
 public:
  void clear() { words_.clear(); }
  void set(std::uint32_t load) {
    if (words_.size() <= load / 64) words_.resize(load / 64 + 1);
    words_[load / 64] |= std::uint64_t{1} << (load % 64);
  }
  void join(const LoadBits& other) {
    if (words_.size() < other.words_.size()) words_.resize(other.words_.size());
    for (std::size_t i = 0; i < other.words_.size(); ++i) words_[i] |= other.words_[i];
  }
  core::LoadSet list() const {
    core::LoadSet out;
    for (std::size_t i = 0; i < words_.size(); ++i)
      for (auto bits = words_[i]; bits != 0; bits &= bits - 1)
        out.push_back(static_cast<std::uint32_t>(i * 64 + static_cast<unsigned>(__builtin_ctzll(bits))));
    return out;
  }

 private:
  std::vector<std::uint64_t> words_;
};

class LoadShadow final : public core::Shadow {
 public:
  std::vector<LoadBits> words;  // beside the words of the local state: registers and private memory
  LoadBits control;
  std::uint32_t loads = 0;
};

}  // namespace heddle::vm
