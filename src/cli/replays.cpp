// SPDX-License-Identifier: Apache-2.0
#include "cli/replays.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/input.h"
#include "report/json.h"

namespace heddle::cli {

support::Result<std::vector<core::Verdict>> saved_traces(const CheckRequest& request) {
  const std::string& file = request.replay;
  const bool chosen = std::ranges::find(request.given, "--model") != request.given.end();
  const auto text = core::read_input(file, nullptr, core::largest_report);
  if (!text) return text.error();
  auto saved = report::read_json(*text, file);
  if (!saved) return saved.error();
  std::vector<core::Verdict> verdicts;
  for (core::Verdict& verdict : saved->verdicts)
    if (verdict.trace && (!chosen || std::ranges::find(request.models, verdict.model) != request.models.end()))
      verdicts.push_back(std::move(verdict));
  if (verdicts.empty())
    return support::Diagnostic{
        file, 0,
        0,    chosen ? "there is no trace under that memory model in this report" : "there is no trace in this report",
        "",   "replay a report of an UNSAFE verdict"};
  return verdicts;
}

support::Diagnostic diverges(const std::string& file, const core::Verdict& saved, const std::string& why) {
  return {file,
          0,
          0,
          fmt::format("the trace under {} does not lead to its violation ({}) any more: {}", saved.model,
                      saved.violation_kind, why),
          "",
          "the sources or the options differ from those of the report"};
}

}  // namespace heddle::cli
