// A condition over memory and local states, as symbolic states are judged by it: local states that it cannot tell apart
// are one, so that few combinations of them are evaluated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "buffers/process.h"

namespace heddle::buffers {

class Condition {
 public:
  Condition(const ir::Program&, std::uint32_t proposition);

  // The processes that it is about, ascending.
  const std::vector<std::uint32_t>& processes() const { return processes_; }
  // Of these local states of process processes()[i]: one for each way in which the condition sees them.
  std::vector<std::uint32_t> different(std::size_t i, const Process&, std::span<const std::uint32_t> locals) const;

 private:
  struct Sight {
    std::vector<std::uint32_t> states;  // control states that it asks about
    std::vector<std::uint32_t> words;   // indices into Process::words(), beside the control state
  };
  std::vector<std::uint32_t> processes_;
  std::vector<Sight> sights_;
};

}  // namespace heddle::buffers
