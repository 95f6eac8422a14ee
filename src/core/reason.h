// Why there is no answer: what kind of obstacle, in words, and who says so.
//
// Programs decide by the kind and never read the text. The text is one clause without advice: what a user can do
// about it depends on the question and is added by drive/advice.h.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

namespace heddle::core {

struct Reason {
  enum class Kind : std::uint8_t {
    None,  // there is none
    TimeLimit,
    StateLimit,  // states, executions or cubes
    StepLimit,   // steps of executions
    MemoryLimit,
    Interrupted,
    Reading,      // a limit ended the reading of the program
    Unsupported,  // the program does what the engine or the model does not have
    TooLong,      // a thread goes on for too long: it may never end
    TooLarge,     // an execution has more events than can be judged
    Unconfirmed,  // something was found of which it is not known whether it is real
    Open,         // the method gives no answer here
    Internal      // a defect of ours
  };
  Kind kind = Kind::None;
  std::string text = {};
  std::string_view by = {};  // the engine that says so; names of engines live for ever

  bool none() const { return kind == Kind::None; }
  // A larger allowance may do.
  bool limit() const { return kind == Kind::TimeLimit || kind == Kind::StateLimit || kind == Kind::StepLimit; }
  // No other engine could do better: the user wants to stop, or we are wrong.
  bool last_word() const { return kind == Kind::Interrupted || kind == Kind::Internal; }
};

// A defect of ours; the text says so.
inline Reason internal_error(const std::string& what) { return {Reason::Kind::Internal, "internal error: " + what}; }

}  // namespace heddle::core
