// When a search looks at its limits. A state may take a microsecond or a second (a thread runs through all that no
// other can see), so that counting states is not enough: the clock is looked at every few states, the limits every so
// often. A limit of states is kept to the state, so that it does not depend on the clock how a search ends.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <limits>
#include <utility>

#include "core/budget.h"

namespace heddle::explore {

class Pace {
 public:
  // Called once per state: true if the limits are to be looked at now.
  bool due() {
    if (++states_ % states_between_looks != 0) return false;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(5);
    return true;
  }

 private:
  static constexpr unsigned states_between_looks = 8;
  unsigned states_ = 0;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

// Has the search as many states as it may have? count() is asked only if there is a limit.
template <class Count>
bool has_all_states(const core::Budget& budget, Count&& count) {
  return budget.max_states != std::numeric_limits<std::uint64_t>::max() && count() >= budget.max_states;
}

// Within one step: a choice of a thousand million values, or an atomic section of a million accesses. A sink asks it
// from enough(), which systems call while they are at such a step.
class LongStep {
 public:
  // `poll` looks at the limits, and says whether the search is over.
  void watch(std::function<bool()> poll) { poll_ = std::move(poll); }
  void begin_state() { calls_ = 0; }
  bool over() {
    if (over_ || ++calls_ % calls_between_looks != 0 || !poll_) return over_;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return false;
    next_ = now + std::chrono::milliseconds(5);
    return over_ = poll_();
  }

 private:
  static constexpr unsigned calls_between_looks = 32;  // a system asks for each of its threads, and within long steps
  std::function<bool()> poll_;
  unsigned calls_ = 0;
  bool over_ = false;
  std::chrono::steady_clock::time_point next_ = std::chrono::steady_clock::now();
};

}  // namespace heddle::explore
