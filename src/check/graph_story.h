// What a re-run execution graph says to people: one step per request, threads and places by the names that the program
// gives them, stale reads with the store that they miss, and one sentence on what went wrong. Decides nothing:
// graph_replay.cpp has confirmed what is told here.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "check/exception_way.h"
#include "check/graph_claims.h"
#include "check/places.h"
#include "core/trace.h"

namespace heddle::check {

class GraphStory {
 public:
  explicit GraphStory(const RunGraph&);  // which grows while the story listens

  // Called while the program runs along the witness, in this order for each event.
  void runs(core::Tid);                                // the thread has started, or gone on: it may have a name now
  void sees(std::size_t event, const core::Request&);  // the thread stands before the event
  void allocates(const core::WitnessEvent&, const core::Request&);
  void frees(const core::WitnessEvent&, const core::Request&);

  // Called once all events have been seen.
  void finish();
  std::string failure(core::Tid);  // of the thread that failed
  std::string use_after_free(const FreedAccess&);
  std::string claim(const core::Property&);  // one that refuted() decides

  // The accesses that lack order, in one sentence; empty if sequential consistency has the execution, too.
  std::string missing_order() const;

  core::Trace trace;
  core::SourcePlace place;  // of what went wrong

 private:
  bool continues(const core::WitnessEvent&) const;
  core::Effect effect_of(const core::WitnessEvent&, const core::Request&) const;
  void name_threads();
  void find_missed();
  void find_quiet();
  std::string access(std::size_t event) const;
  std::string told(std::size_t event) const {
    return told_location(run_.witness.events[event].loc, locations_[event], allocated_);
  }
  const core::TraceStep& step(std::size_t event) const { return trace.steps[step_of_[event]]; }
  std::string thread_name(core::Tid) const;
  std::string did(std::size_t event, const char* what) const;
  void show_history(std::uint32_t object);
  void remember(const core::WitnessEvent&, const core::Request&, bool freed);
  std::string race();
  std::string waiting(bool deadlock);
  std::optional<std::size_t> latest_write(const core::Loc&) const;

  const RunGraph& run_;
  std::vector<std::string> names_;          // of each thread: its function
  std::vector<core::SourcePlace> started_;  // … where another thread of the program's own started it
  ExceptionWay exceptions_;
  std::vector<std::string> locations_;  // of each event
  std::vector<std::size_t> step_of_;    // of each event
  Allocations allocated_, freed_;
};

}  // namespace heddle::check
