// SPDX-License-Identifier: Apache-2.0
#include "check/places.h"

#include <fmt/format.h>

namespace heddle::check {

core::SourcePlace own_place(const core::Program& program, core::ConstLocal local) {
  for (const core::SourcePlace& frame : program.stack(local))
    if (!frame.library && frame.line != 0) return frame;
  return {};
}

std::string own_function(const core::Program& program, core::ConstLocal local) {
  std::string name;
  for (const core::SourcePlace& frame : program.stack(local))
    if (!frame.library && frame.line != 0) name = frame.function;
  return name;
}

std::string waiting_place(const core::Program& program, core::ConstLocal local, core::Site site) {
  std::string library;
  for (const core::SourcePlace& frame : program.stack(local)) {
    if (!frame.library && frame.line != 0)
      return library.empty() ? fmt::format("at {}:{}", frame.file, frame.line)
                             : fmt::format("in {} at {}:{}", library, frame.file, frame.line);
    library = frame.function;
  }
  const core::SourcePlace place = program.place(site);
  return fmt::format("at {}:{}", place.file, place.line);
}

const core::SourcePlace& shown_place(const core::TraceStep& step) {
  return step.place.library && step.caller.line != 0 ? step.caller : step.place;
}

std::string where(const core::TraceStep& step) {
  const core::SourcePlace& place = shown_place(step);
  return place.line == 0 ? std::string() : fmt::format(" at {}:{}", place.file, place.line);
}

}  // namespace heddle::check
