// SPDX-License-Identifier: Apache-2.0
#include "cli/explicit.h"

#include <algorithm>

namespace heddle::cli {

explore::SearchOptions search_options(const CheckRequest& request) {
  explore::SearchOptions options;
  options.order = request.order == "dfs"    ? explore::SearchOrder::Depth
                  : request.order == "cost" ? explore::SearchOrder::Cost
                                            : explore::SearchOrder::Breadth;
  options.reduction = request.por ? core::Reduction::Safety : core::Reduction::None;
  options.workers = static_cast<unsigned>(std::clamp<std::uint64_t>(request.workers, 1, 256));
  return options;
}

unsigned buffer_bound(const CheckRequest& request) {
  return static_cast<unsigned>(std::min<std::uint64_t>(request.buffer, 1000000));
}

std::vector<std::string> bounds_of(const core::TransitionSystem& system, const memory::Machine& machine,
                                   const CheckRequest& request) {
  std::vector<std::string> bounds = system.bounds_reached();
  if (request.buffer == 0 && machine.has_buffers() && machine.name() != "sb1" && bounds.empty())
    bounds.emplace_back("buffer 0");
  return bounds;
}

void conclude_search(core::Verdict& verdict, const explore::SearchResult& result, const core::Drops& drops,
                     std::vector<std::string> bounds) {
  core::conclude(verdict, {.drops = &drops,
                           .ended = !result.stopped,
                           .stopped = result.stopped.value_or(""),
                           .seen = result.states,
                           .bounds = std::move(bounds)});
}

void put_statistics(core::Verdict& verdict, const explore::SearchResult& result, double seconds) {
  verdict.statistics.engine = "explicit";
  verdict.statistics.states = result.states;
  verdict.statistics.transitions = result.transitions;
  if (result.levels != 0) verdict.statistics.levels = result.levels;
  verdict.statistics.bytes = result.bytes;
  verdict.statistics.seconds = seconds;
  if (result.found && !result.found->best)
    verdict.notes.emplace_back(
        "a limit ended the search for a shorter or less relaxed trace: this one may be longer than needed");
}

}  // namespace heddle::cli
