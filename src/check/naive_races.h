// Data races by the book: all events of one run, happens-before as sets of earlier events, every pair looked at.
//
// This is the referee for explore/races, with which it shares nothing: no clocks, no forgetting. It follows the text of
// C11 (5.1.2.4) and, for release sequences, RC11 (Lahav et al., PLDI 2017, section 3).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "core/program.h"

namespace heddle::check {

// What one step means for happens-before. Steps that mean nothing for it have kind None.
struct RaceEvent {
  enum class Kind : std::uint8_t { None, Access, Fence, Free, Spawn, Join };
  static constexpr std::size_t initial = static_cast<std::size_t>(-1);
  Kind kind = Kind::None;
  core::Tid thread = 0;
  core::Tid other = 0;                     // Spawn, Join
  core::Loc loc;                           // Free: the object alone counts
  core::Order order = core::Order::Plain;  // Plain: not atomic
  bool reads = false, writes = false;
  std::vector<std::size_t>
      from;  // the steps that issued the stores that are read, byte by byte; `initial` counts for none
  // A load that was put off happens where it was issued, unless it acquires: then where it is performed. The step that
  // performs a load says whose: that load gets `from` now, or happens now.
  std::optional<std::size_t> performs;
};

class NaiveRaces {
 public:
  // The events of step 0, 1, …
  void add(const RaceEvent&);

  // Two steps that race, the later one being the last that was added.
  std::optional<std::pair<std::size_t, std::size_t>> race() const;

 private:
  struct Event : RaceEvent {
    std::size_t step = 0;
    std::vector<bool> before;  // by number of event
  };
  std::size_t event_of(std::size_t step) const;
  void after(Event&, std::size_t earlier) const;
  std::vector<std::size_t> release_heads(const Event& read) const;
  static bool is_race(const Event& a, const Event& b);

  std::vector<Event> events_;         // in an order that happens-before agrees with
  std::vector<std::size_t> by_step_;  // number of the event, or none
  std::optional<std::size_t> last_;   // the event that the last step added
};

}  // namespace heddle::check
