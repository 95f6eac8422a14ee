// The runs of single threads: every sequence of events that a thread can have when its reads return any value that some
// thread may have written there. First half of candidates.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "axioms/candidates.h"

namespace heddle::axioms {

struct ThreadRun {
  std::vector<Event> events;
  struct Dependencies {
    std::vector<std::uint32_t> addr, data, ctrl;
  };  // positions of reads in `events`
  std::vector<Dependencies> deps;       // one per event; empty without dependencies
  std::vector<std::uint32_t> controls;  // positions of reads whose values a branch behind them looks at, by the mapping
  std::vector<std::pair<std::uint32_t, std::uint32_t>> rmw;
  std::size_t monitor = no_monitor;  // position of the exclusive load that a store-conditional would belong to
  static constexpr std::size_t no_monitor = static_cast<std::size_t>(-1);
  core::Local end;
  bool failed = false;
};

// The value of some bytes of an access's value.
core::Value part_of(const core::Value&, const core::Loc& whole, const core::Loc& part);

class ThreadRuns {
 public:
  ThreadRuns(const core::Program&, const CandidateOptions&, core::Budget*);

  // To the fixed point. False: refusal() says why.
  bool compute();

  const std::vector<std::vector<ThreadRun>>& runs() const { return runs_; }  // by thread
  bool blocked() const { return blocked_; }
  const core::Reason& refusal() const { return refusal_; }
  core::Value initial(const core::Loc&) const;

 private:
  struct Held {
    core::Value value;
    std::uint64_t writers;
  };  // bit 0: initial, bit 1 + t: thread t (the last bit: any beyond)
  struct Slice {
    core::Loc loc;
    std::vector<Held> held;
  };
  struct Written {
    core::Loc loc;
    core::Value value;
    std::uint64_t writer;
  };

  bool drop(core::DropPlace, bool really, std::string_view detail = {});
  void rebuild();  // slices from cuts and writes
  void note_access(const core::Loc&);
  void note_write(const ThreadRun&, const core::Loc&, const core::Value&, std::size_t thread);  // its last write
  std::vector<core::Value> readable(const core::Loc&, std::size_t thread, const ThreadRun&) const;
  void run(std::size_t thread, core::Local, std::unique_ptr<core::Shadow>, ThreadRun);
  void finish(std::size_t thread, core::Local&&, ThreadRun&&, bool failed);
  // `event`: of this request, which is fulfilled; with the fences that the mapping has around it.
  struct Asked {
    std::size_t thread;
    const core::Request& request;
    const core::Local& local;
    const core::Shadow* shadow;
  };
  std::uint32_t append(ThreadRun&, const Asked&, EventKind, const core::Value&, bool failed = false) const;
  void append_one(ThreadRun&, const Asked&, Event) const;

  const core::Program& program_;
  const CandidateOptions& options_;
  const bool success_counts_;
  core::Budget* budget_;
  core::Drops own_drops_;
  std::vector<std::vector<ThreadRun>> runs_;
  std::map<std::uint32_t, std::set<std::uint32_t>> cuts_;  // of an object: where accesses begin and end
  std::map<std::uint32_t, std::vector<Slice>> slices_;
  std::vector<Written> writes_;
  std::set<std::tuple<std::uint32_t, std::uint32_t, std::uint32_t, std::uint64_t, bool, std::uint64_t>> known_writes_;
  std::size_t most_writes_ = 0;  // of a run of the present thread, also of one that does not come to its end
  std::uint64_t steps_ = 0;      // of all runs, for the budget
  bool divided_ = false;         // this round has found new cuts
  bool found_values_ = false;
  bool blocked_ = false;
  core::Reason refusal_;
};

}  // namespace heddle::axioms
