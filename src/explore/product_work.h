// The scratch space of Product, for the files that Product is written in.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "explore/open_objects.h"
#include "explore/product.h"
#include "explore/world.h"

namespace heddle::explore {

// Loads that wait in a buffer are not bounded by the model; a loop that never looks at what it loads would fill memory.
inline constexpr std::size_t most_pending_loads = 64;
// Invisible actions that are run through in one step; after so many the state is stored like any other. Where states
// are large an action counts for more, so that a step stays short and the search gets to look at its limits.
inline constexpr unsigned longest_chain = 10000;
// Actions of a step after which its thread is run in place (ThreadRunner::loosen): shorter chains are met again and
// again from different states, and their local states are worth remembering.
inline constexpr unsigned remembered_chain = 64;
// Choices within one step that are tried one inside the other (Choose, a weak compare-exchange that may fail): at the next
// the state is stored. A loop of such failures would else go as deep as a step is long.
inline constexpr unsigned deepest_choice = 64;
// An atomic section is one step, however long it is: one that makes more accesses does not end.
inline constexpr std::size_t longest_section = 1'000'000;
// … or that chooses more often: every choice is one call deeper.
inline constexpr unsigned most_section_choices = 1000;

struct Product::Work final : core::TransitionSystem::Scratch {
  Work(ThreadTable& threads, Objects& objects) : runner(threads), renaming(objects, runner), open(objects) {}

  bool assumption_failed(const World& world) {
    return std::ranges::any_of(world.threads, [this](const World::Thread& thread) {
      return runner.request(thread.local).kind == core::Kind::Blocked;
    });
  }

  World& fresh_world(unsigned depth) {
    while (worlds.size() <= depth) worlds.emplace_back();
    return worlds[depth];
  }

  ThreadRunner runner;
  Renaming renaming;
  core::State source;  // the state that was decoded last: a successor that is the same has the same address
  World base;
  std::deque<World> worlds;  // one for each depth of branching; a deque keeps references valid
  std::vector<unsigned> flushable;
  std::vector<std::uint32_t> slots;
  OpenObjects open;
  std::vector<Races::Owner> owners;
  std::vector<std::byte> clocks, accesses;
};

// Finds the successor of one move and remembers the single moves behind it.
struct MoveFinder final : core::SuccessorSink {
  void successor(const core::Successor& s) override {
    if (!(s.move == wanted) || found) return;
    found = true;
    state.assign(s.state.begin(), s.state.end());
    moves = *so_far;
  }
  core::Move wanted;
  const std::vector<core::Move>* so_far = nullptr;  // the single moves of the successor that was emitted last
  bool found = false;
  std::vector<std::uint32_t> state;
  std::vector<core::Move> moves;
};

// Does the thread wait for a lock whose holder waits for a lock … that the thread holds? Whatever the others do, none
// of them will ever go on. (Lock words are written by read-modify-writes and in atomic steps: memory has them.)
inline bool in_lock_cycle(const Product::World& world, std::uint32_t t, ThreadRunner& runner, auto&& read) {
  std::uint32_t waiting = t;
  for (std::size_t steps = 0; steps < world.threads.size(); ++steps) {
    const core::Request request = runner.request(world.threads[waiting].local);
    if (!request.owned) return false;
    const core::Answer word = read(request.loc);
    const auto holder = static_cast<std::uint32_t>(word.value.bits & 0xffff);
    if (word.fault != core::Fault::None || word.value.undefined != 0 || holder == 0 || holder > world.threads.size())
      return false;
    waiting = holder - 1;
    if (waiting == t) return true;
  }
  return false;
}

}  // namespace heddle::explore
