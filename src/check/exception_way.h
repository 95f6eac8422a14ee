// The way of an exception through a thread's frames, as its stacks before one request and before the next tell it: where
// it is thrown, which functions it leaves, where it is caught. For people; both replays note it in their traces.
//
// The functions of the Itanium C++ ABI access the exception's memory, so that a thread rests inside them: an exception on
// its way is never missed. Destructors that unwinding runs are steps of their own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "core/program.h"
#include "core/trace.h"

namespace heddle::check {

class ExceptionWay {
 public:
  // To be called whenever the thread stands before a request, with the effects of that step.
  void note(const core::Program&, core::Tid, core::ConstLocal, std::vector<core::Effect>&);

 private:
  enum class Phase : std::uint8_t { None, Thrown, ThrownAgain, Resumed, Caught };
  struct Seen {
    Phase phase = Phase::None;
    bool in_library = false;
    std::vector<std::string> functions;  // of the program's own, outermost first
  };
  static Seen look(const core::Program&, core::ConstLocal);

  std::vector<Seen> threads_;
};

}  // namespace heddle::check
