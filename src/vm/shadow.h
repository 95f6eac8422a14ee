// Which loads each word of a local state depends on. Kept beside the state, no part of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "core/load_bits.h"
#include "core/program.h"

namespace heddle::vm {

using core::LoadBits;

class LoadShadow final : public core::Shadow {
 public:
  bool equals(const core::Shadow& other) const override {
    const auto& o = static_cast<const LoadShadow&>(other);
    return loads == o.loads && control == o.control && words == o.words;
  }
  std::uint64_t hash() const override {
    std::uint64_t h = 1 + loads;
    control.hash_into(h);
    for (const LoadBits& word : words) word.hash_into(h);
    return h;
  }

  std::vector<LoadBits> words;  // beside the words of the local state: registers and private memory
  LoadBits control;
  std::uint32_t loads = 0;
};

}  // namespace heddle::vm
