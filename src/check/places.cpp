// SPDX-License-Identifier: Apache-2.0
#include "check/places.h"

#include <filesystem>

#include <fmt/format.h>

#include "core/show_value.h"

namespace heddle::check {

core::SourcePlace own_place(const core::Program& program, core::ConstLocal local) {
  for (const core::SourcePlace& frame : program.stack(local))
    if (!frame.library && frame.line != 0) return frame;
  return {};
}

std::string told_location(const core::Loc& loc, const std::string& name, const Allocations& allocations) {
  const auto found = allocations.find(loc.object);
  if (found == allocations.end() || name != core::unnamed_location(loc)) return name;
  for (const core::SourcePlace& frame : found->second.frames)
    if (!frame.library && frame.line != 0)
      return fmt::format("{}the object allocated at {}:{}",
                         loc.offset == 0 ? std::string() : fmt::format("byte {} of ", loc.offset), frame.file,
                         frame.line);
  return name;
}

std::string name_of_thread(const core::Program& program, std::uint32_t entry, const std::string& function,
                           const core::SourcePlace& started, core::Tid t) {
  if (function.empty() && started.line != 0)
    return fmt::format("thread {} of {}:{}", t, std::filesystem::path(started.file).filename().string(), started.line);
  return fmt::format("{} {}", function.empty() ? program.thread_name(entry) : function, t);
}

namespace {

std::string exact(const core::SourcePlace& place) {
  return place.column == 0 ? fmt::format("{}:{}", place.file, place.line)
                           : fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

// Is it a name of the library's own, which users have never heard of (C++ standard, [lex.name])?
bool is_reserved(std::string_view function) {
  function = function.substr(0, function.find('<'));
  return function.starts_with("__") || function.find("::__") != std::string_view::npos;
}

}  // namespace

std::string waiting_place(const core::Program& program, core::ConstLocal local, core::Site site, const Holder& holder) {
  std::string library;
  for (const core::SourcePlace& frame : program.stack(local)) {
    if (!frame.library && frame.line != 0) {
      if (library.empty()) return "at " + exact(frame);
      const core::Awaited awaited = program.awaited(local);
      if (awaited.what.empty())
        return is_reserved(library) ? "at " + exact(frame) : fmt::format("in {} at {}", library, exact(frame));
      std::string words = fmt::format("at {} for the {}", exact(frame), awaited.what);
      if (!awaited.name.empty()) words += " " + awaited.name;
      else if (words.ends_with(" of")) words.resize(words.size() - 3);
      if (holder.thread.empty()) return words;
      words += fmt::format(" (locked by {}", holder.thread);
      if (holder.place.line != 0) words += " at " + exact(holder.place);
      return words + ")";
    }
    library = frame.function;
  }
  return "at " + exact(program.place(site));
}

void add_lock_note(const core::Program& program, core::ConstLocal local, std::vector<core::Effect>& effects,
                   bool in_vain) {
  const core::Awaited lock = program.awaited(local);
  if (lock.what.empty() || lock.name.empty()) return;
  effects.push_back({.kind = core::Effect::Kind::Note,
                     .value = fmt::format("{} the {} {}", in_vain ? "waits for" : "locks", lock.what, lock.name)});
}

std::optional<core::Tid> holder_of(const core::Value& word) {
  const auto number = static_cast<core::Tid>(word.bits & 0xffff);
  if (word.undefined != 0 || number == 0) return std::nullopt;
  return number - 1;
}

const core::SourcePlace& shown_place(const core::TraceStep& step) {
  return step.place.library && step.caller.line != 0 ? step.caller : step.place;
}

std::string where(const core::TraceStep& step) {
  const core::SourcePlace& place = shown_place(step);
  return place.line == 0 ? std::string() : fmt::format(" at {}:{}", place.file, place.line);
}

}  // namespace heddle::check
