// `heddle repair` for array-based systems: where fence() is missing.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <fstream>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/cubicle_driver.h"
#include "cli/repairer.h"
#include "lang/cubicle/parser.h"
#include "repair/cubicle_fences.h"

namespace heddle::cli {

support::Result<int> repair_cubicle(const CheckRequest& request, const std::string& output, core::Budget& budget) {
  if (request.files.size() != 1) return support::Diagnostic{"", 0, 0, "one system at a time", "", "give one .cub file"};
  if (!output.empty() && request.models.size() != 1)
    return support::Diagnostic{"", 0, 0, "--output is about one model", "", "choose it with --model"};
  const auto system = cubicle::parse_file(request.files[0], &budget);
  if (!system) return system.error();
  CubicleOptions options;
  options.workers = static_cast<unsigned>(std::max<std::uint64_t>(1, request.workers));
  options.brab = static_cast<unsigned>(request.brab);
  int code = exit_safe;
  for (const std::string& model : request.models) {
    const repair::FenceRepair found = repair::repair_fences(*system, [&](const cubicle::System& candidate) {
      return decide_cubicle(candidate, model, options, budget).verdict;
    });
    std::string line = fmt::format("{}  ", model);
    std::string bound = found.last.bounds.empty() ? "" : fmt::format(", up to {}", fmt::join(found.last.bounds, ", "));
    switch (found.outcome) {
      case repair::FenceRepair::Outcome::Safe: line += "is safe as it is" + bound; break;
      case repair::FenceRepair::Outcome::Repaired:
        line += fmt::format("safe{} with fence() in {} guard{}, and with no fewer ({} checks)", bound,
                            found.fences.size(), found.fences.size() == 1 ? "" : "s", found.checks);
        break;
      case repair::FenceRepair::Outcome::Hopeless:
        line += "no fence helps: " + found.last.violation;
        code = exit_unsafe;
        break;
      case repair::FenceRepair::Outcome::Unknown:
        line += "UNKNOWN: " + found.last.reason;
        if (code == exit_safe) code = exit_unknown;
        break;
    }
    fmt::print("{}\n", line);
    if (found.outcome == repair::FenceRepair::Outcome::Repaired)
      for (const std::size_t t : found.fences)
        fmt::print("     {}:{}: {}\n", system->file, system->transitions[t].place.line, system->transitions[t].name);
    const bool writes =
        found.outcome == repair::FenceRepair::Outcome::Repaired || found.outcome == repair::FenceRepair::Outcome::Safe;
    if (writes && !output.empty()) {
      std::ofstream out(output, std::ios::binary);
      out << repair::text_with_fences(*system, found.fences);
      if (!out.flush()) return support::Diagnostic{output, 0, 0, "cannot be written", "", ""};
    }
  }
  return code;
}

}  // namespace heddle::cli
