// SPDX-License-Identifier: Apache-2.0
#include "report/hazards.h"

#include <algorithm>
#include <numeric>

namespace heddle::report {
namespace {

using Kind = core::Effect::Kind;

bool takes_part(const core::TraceStep& step, std::uint32_t thread) {
  return step.move.thread == thread || step.move.partner == thread;
}

bool touches(const core::TraceStep& step, const std::string& location) {
  return std::ranges::any_of(step.effects, [&](const core::Effect& e) {
    return e.location == location && (e.kind == Kind::ReadMemory || e.kind == Kind::ReadBuffer ||
                                      e.kind == Kind::Buffered || e.kind == Kind::Wrote || e.kind == Kind::Flushed);
  });
}

// A store that has not arrived yet.
struct Open {
  std::size_t hazard;
  std::uint32_t thread;
  bool replaced = false;  // a newer store of the same buffer has taken its slot and arrives in its place
};

}  // namespace

std::vector<Hazard> hazards(const core::Trace& trace) {
  std::vector<std::size_t> order(trace.steps.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const std::size_t once = order.size();
  for (std::size_t i = trace.loop_start; i < once; ++i) order.push_back(i);
  std::vector<Hazard> found;
  std::vector<Open> open;
  for (std::size_t at = 0; at < order.size(); ++at) {
    const core::TraceStep& step = trace.steps[order[at]];
    for (const core::Effect& effect : step.effects) {
      const auto mine = [&](const Open& o) {
        return takes_part(step, o.thread) && found[o.hazard].location == effect.location;
      };
      if (effect.kind == Kind::Dropped) {
        for (Open& o : open)
          if (mine(o) && !o.replaced) {
            o.replaced = true;
            break;
          }
      } else if (effect.kind == Kind::Flushed) {
        // The oldest that stands in the buffer, and what it has replaced.
        bool first = true;
        std::erase_if(open, [&](const Open& o) {
          if (!mine(o) || (!o.replaced && !first)) return false;
          first = first && o.replaced;
          found[o.hazard].end = order[at];
          return true;
        });
      } else if (effect.kind == Kind::Buffered && at < once) {
        open.push_back({found.size(), step.move.thread});
        found.push_back({order[at], once, effect.location, {}});
      }
    }
    for (const Open& o : open)
      if (Hazard& hazard = found[o.hazard]; !takes_part(step, o.thread) && touches(step, hazard.location) &&
                                            std::ranges::find(hazard.accesses, order[at]) == hazard.accesses.end())
        hazard.accesses.push_back(order[at]);
  }
  return found;
}

}  // namespace heddle::report
