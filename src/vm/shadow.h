// Which loads each word of a local state depends on. Kept beside the state, never hashed.
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
  std::vector<LoadBits> words;  // beside the words of the local state: registers and private memory
  LoadBits control;
  std::uint32_t loads = 0;
};

}  // namespace heddle::vm
