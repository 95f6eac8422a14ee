// A run of an ir program on the naive machine, move by move, told in the user's words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "check/naive_port.h"
#include "core/trace.h"
#include "ir/program.h"
#include "ir/steps.h"

namespace heddle::check {

class Replay {
 public:
  Replay(const ir::Program& program, NaiveModel model, unsigned bound)
      : program_(program), port_(program, model, bound), steps_(program) {}

  // Makes the move and appends what it did to the trace. False if it is not possible; nothing comes after an error.
  bool move(const core::Move&, core::Trace&);

  // Can nothing happen any more, neither a step of the system nor a flush? The property process is not asked. Without
  // `errors` a step that goes wrong is no step.
  bool deadlocked(bool errors = true);
  // Is every process where it may end: at an end state, or where nothing leads on?
  bool at_proper_end() const;
  // The processes that have a step now.
  std::vector<bool> enabled();
  // Where the processes are, as "P in waiting, Q in asked".
  std::string positions();

  const ir::Assertion* failed_assertion(ir::EvalResult& failure) { return steps_.failed_assertion(port_, failure); }
  ir::Status proposition(std::uint32_t number);
  bool accepting() { return steps_.accepting(port_); }
  bool held() { return steps_.held(port_); }  // inside an atomic section that goes on
  const std::optional<ir::EvalResult>& step_error() const { return step_error_; }
  const NaivePort& port() const { return port_; }

 private:
  bool flush(const core::Move&, core::Trace&);
  bool step(const core::Move&, core::Trace&);
  std::string way(const ir::Edge&) const;
  void describe(const std::vector<const ir::Edge*>& together, core::TraceStep&) const;
  void describe(const ir::Steps<NaivePort>::Step&, core::TraceStep&) const;
  core::SourcePlace place(core::Site) const;
  void tell_accesses(core::TraceStep&);
  void tell_changes(const std::vector<std::int32_t>& before, core::TraceStep&);

  const ir::Program& program_;
  NaivePort port_;
  ir::Steps<NaivePort> steps_;
  std::optional<ir::EvalResult> step_error_;
};

}  // namespace heddle::check
