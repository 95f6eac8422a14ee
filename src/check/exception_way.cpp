// SPDX-License-Identifier: Apache-2.0
#include "check/exception_way.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>

namespace heddle::check {

ExceptionWay::Seen ExceptionWay::look(const core::Program& program, core::ConstLocal local) {
  struct Row {
    const char* function;
    Phase phase;
  };
  // The first of them that stands above the program's own innermost frame decides.
  static constexpr Row rows[] = {{"__cxa_throw", Phase::Thrown},
                                 {"__cxa_rethrow", Phase::ThrownAgain},
                                 {"_Unwind_Resume", Phase::Resumed},
                                 {"__cxa_begin_catch", Phase::Caught}};
  Seen seen;
  for (const core::SourcePlace& frame : program.stack(local)) {
    if (!frame.library) {
      if (frame.line != 0) seen.functions.push_back(frame.function);
      continue;
    }
    const auto row = std::ranges::find_if(rows, [&](const Row& r) { return frame.function == r.function; });
    if (seen.functions.empty()) seen.in_library = true;
    if (seen.functions.empty() && row != std::end(rows)) seen.phase = row->phase;
  }
  std::ranges::reverse(seen.functions);
  return seen;
}

void ExceptionWay::note(const core::Program& program, core::Tid t, core::ConstLocal local,
                        std::vector<core::Effect>& effects) {
  if (threads_.size() <= t) threads_.resize(t + 1);
  Seen now = look(program, local);
  const Seen& before = threads_[t];
  // Code that was inlined goes by its own function's name: inside the library a phase lasts until the next begins.
  if (now.phase == Phase::None && now.in_library && now.functions == before.functions) now.phase = before.phase;
  const auto add = [&](std::string text) {
    effects.push_back({.kind = core::Effect::Kind::Note, .value = std::move(text)});
  };
  const bool unwound = before.phase != Phase::None && before.phase != Phase::Caught && now.phase != before.phase;
  if (unwound) {
    const auto [left, kept] = std::ranges::mismatch(before.functions, now.functions);
    const auto gone = std::ranges::subrange(left, before.functions.end()) | std::views::reverse;
    if (!gone.empty()) add(fmt::format("the exception has left {}", fmt::join(gone, ", ")));
  }
  if (now.phase != before.phase) {
    if (now.phase == Phase::Thrown) add("throws an exception");
    if (now.phase == Phase::ThrownAgain) add("throws the exception again");
    if (now.phase == Phase::Caught) add("catches the exception");
  }
  threads_[t] = std::move(now);
}

}  // namespace heddle::check
