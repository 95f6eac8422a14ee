// SPDX-License-Identifier: Apache-2.0
#include "report/closing.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

namespace heddle::report {
namespace {

struct Pending {
  std::string thread, location, value;
  core::SourcePlace place;
  bool load = false;  // a load that was put off
};

std::string where(const core::SourcePlace& place) {
  return place.line == 0 ? std::string() : fmt::format(" at {}:{}", place.file, place.line);
}

// A rendezvous, "S -> R", has two threads; each of its reads may be either's, and neither misses its own store.
bool takes_part(const std::string& thread, const std::string& in) {
  return thread == in || in.starts_with(thread + " -> ") || in.ends_with(" -> " + thread);
}

}  // namespace

std::string closing_sentence(const core::Trace& trace) {
  std::vector<Pending> pending;
  std::string sentence;
  for (const core::TraceStep& step : trace.steps)
    for (const core::Effect& effect : step.effects) {
      const auto own = [&](const Pending& s) { return takes_part(s.thread, step.thread); };
      switch (effect.kind) {
        case core::Effect::Kind::Buffered:
          pending.push_back({step.thread, effect.location, effect.value, step.place});
          break;
        case core::Effect::Kind::Deferred:
          pending.push_back({step.thread, effect.location, {}, step.place, true});
          break;
        case core::Effect::Kind::Dropped:
        case core::Effect::Kind::Performed:
        case core::Effect::Kind::Flushed: {
          const bool load = effect.kind == core::Effect::Kind::Performed;
          const auto mine = std::ranges::find_if(
              pending, [&](const Pending& s) { return own(s) && s.load == load && s.location == effect.location; });
          if (mine == pending.end()) break;
          const auto older = std::ranges::find_if(pending.begin(), mine, own);
          if (older != mine && effect.kind != core::Effect::Kind::Dropped && !step.place.library)
            sentence =
                fmt::format("the {} {} by {}{} {} before its older {} {}{}", load ? "load of" : "store to",
                            effect.location, step.thread, where(mine->place), load ? "was performed" : "reached memory",
                            older->load ? "load of" : "store to", older->location, where(older->place));
          pending.erase(mine);
          break;
        }
        case core::Effect::Kind::ReadMemory: {
          const auto missed = std::ranges::find_if(pending, [&](const Pending& s) {
            return !own(s) && !s.load && s.location == effect.location && s.value != effect.value;
          });
          if (missed != pending.end())
            sentence = fmt::format("{} read {} = {}{} while {}'s store of {}{} was still in its buffer", step.thread,
                                   effect.location, effect.value, where(step.place), missed->thread, missed->value,
                                   where(missed->place));
          break;
        }
        default: break;
      }
    }
  return sentence;
}

std::string closing_words(const core::Trace& trace, const std::string& violation) {
  const std::string reordering = closing_sentence(trace);
  return reordering.empty() ? violation : reordering;
}

}  // namespace heddle::report
