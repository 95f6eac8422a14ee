// The scratch space of Product, for the files that Product is written in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "explore/product.h"
#include "explore/world.h"

namespace heddle::explore {

// Loads that wait in a buffer are not bounded by the model; a loop that never looks at what it loads would fill memory.
inline constexpr std::size_t most_pending_loads = 64;

struct Product::Work final : core::TransitionSystem::Scratch {
  Work(ThreadTable& threads, Objects& objects) : runner(threads), renaming(objects, runner) {}
  ThreadRunner runner;
  Renaming renaming;
  World base;
  std::deque<World> worlds;  // one for each depth of branching; a deque keeps references valid
  std::vector<unsigned> flushable;
  std::vector<std::uint32_t> slots;
  std::deque<Objects::Open> open;  // the first `opened` are: objects that the step in work writes to
  std::size_t opened = 0;
  std::vector<std::uint32_t> open_index;  // by object: 1 + its place in `open`, 0 if it is not
  std::vector<Races::Owner> owners;
  std::vector<std::byte> clocks, accesses;
};

}  // namespace heddle::explore
