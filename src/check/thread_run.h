// A run of a thread program on the naive machine, move by move, told as a trace.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <utility>

#include "check/exception_way.h"
#include "check/naive_threads.h"
#include "core/program.h"
#include "core/trace.h"

namespace heddle::check {

class ThreadRun {
 public:
  // Which thread locked a word last, and where.
  using Locks = std::map<core::Loc, std::pair<core::Tid, core::SourcePlace>>;

  // The trace must outlive this.
  ThreadRun(const core::Program& program, ThreadModel model, unsigned bound, core::Trace& trace)
      : program_(program), trace_(trace), state_(program, model, bound, true) {}

  // Makes the move and appends what it did to the trace. False if it is not possible; nothing comes after a failure.
  // Requires an empty report.
  bool perform(const core::Move&, NaiveReport&);
  // At the end: a thread has its name once it runs a function of the program's own.
  void name_threads();

  NaiveThreads& state() { return state_; }
  const Locks& locks() const { return locks_; }
  const std::optional<core::Failure>& failure() const { return failure_; }
  bool met_addresses() const { return met_addresses_; }  // some thread has used an address as a number

 private:
  const core::Program& program_;
  core::Trace& trace_;
  NaiveThreads state_;
  Locks locks_;
  ExceptionWay exceptions_;
  std::optional<core::Failure> failure_;
  bool met_addresses_ = false;
};

// Can nothing happen any more, neither a request nor a flush?
bool stuck(const NaiveThreads&);

}  // namespace heddle::check
