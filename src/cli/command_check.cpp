// `heddle check`: one verdict line a model, then one trace, for the first that is unsafe.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <set>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/languages.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "report/drawing.h"
#include "report/text.h"

namespace heddle::cli {

namespace {

bool has_colours(int descriptor) {
  const char* plain = std::getenv("NO_COLOR");
  return isatty(descriptor) != 0 && (plain == nullptr || *plain == '\0');
}

int input_error(const support::Diagnostic& diagnostic) {
  std::fputs(support::render(diagnostic).c_str(), stderr);
  return exit_input_error;
}

int exit_code(const CheckRequest& request, const std::vector<core::Verdict>& verdicts) {
  int code = exit_safe;
  for (const core::Verdict& verdict : verdicts) {
    const auto& deciding = request.require;
    if (!deciding.empty() && std::find(deciding.begin(), deciding.end(), verdict.model) == deciding.end()) continue;
    if (verdict.outcome == core::Outcome::Unsafe) return exit_unsafe;
    if (verdict.outcome == core::Outcome::Unknown || (request.strict && !verdict.bounds.empty())) code = exit_unknown;
  }
  return code;
}

// Prints lines as verdicts come; what the checker did not announce itself is printed at the end.
class Printer {
 public:
  Printer(const CheckRequest& request, const Language& language, ProgressLine& progress) : progress_(progress) {
    // A report on standard output must be all there is on it.
    silent_ = request.quiet || writes_standard_output(request);
    style_.colours = has_colours(STDOUT_FILENO);
    style_.engines = split(language.engines, ' ').size() > 1;
    for (const std::string& model : request.models) style_.model_width = std::max(style_.model_width, model.size());
  }

  void line(const core::Verdict& verdict) {
    ++printed_;
    if (silent_) return;
    progress_.clear();
    fmt::print("{}\n", report::verdict_line(verdict, style_));
    std::fflush(stdout);
  }

  void rest(const std::vector<core::Verdict>& verdicts, bool with_trace) {
    while (printed_ < verdicts.size()) line(verdicts[printed_]);
    if (silent_) return;
    std::set<std::string> seen;
    for (const core::Verdict& verdict : verdicts)
      for (const std::string& note : verdict.notes)
        if (seen.insert(note).second) fmt::print("note: {}\n", note);
    fmt::print("{}", report::assumptions_text(verdicts));
    for (const core::Verdict& verdict : verdicts) {
      if (!with_trace || verdict.outcome != core::Outcome::Unsafe || !verdict.trace) continue;
      fmt::print("\n{}", report::trace_text(*verdict.trace, style_));
      break;
    }
  }

 private:
  ProgressLine& progress_;
  report::TextStyle style_;
  std::size_t printed_ = 0;
  bool silent_ = false;
};

int check(CheckRequest request) {
  const auto language = settle(request);
  if (!language) return input_error(language.error());
  if (const auto refused = refuse_reports(request)) return input_error(*refused);

  core::Budget budget;
  limit(budget, request);
  if ((*language)->runner != nullptr) return (*language)->runner(request, budget);
  ProgressLine progress(budget, !request.quiet);
  Printer printer(request, **language, progress);
  request.decided = [&](const core::Verdict& verdict) { printer.line(verdict); };
  std::vector<report::Drawing> drawings;
  if (!request.dot.empty() || !request.svg.empty() || !request.html.empty()) request.drawings = &drawings;

  const auto verdicts = (*language)->checker(request, budget);
  progress.clear();
  if (!verdicts) return input_error(verdicts.error());
  printer.rest(*verdicts, request.trace);
  if (const auto failed = write_reports(request, {request.files, *verdicts, {}}, drawings)) return input_error(*failed);
  return exit_code(request, *verdicts);
}

}  // namespace

Action declare_check(CLI::App& app) {
  auto request = declare_request(app);
  return [request] { return check(*request); };
}

}  // namespace heddle::cli
