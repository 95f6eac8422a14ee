// `heddle check`: one verdict line a model, then one trace, for the first that is unsafe.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <set>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/languages.h"
#include "cli/last_resort.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "core/watchdog.h"
#include "report/drawing.h"
#include "report/printable.h"
#include "report/text.h"
#include "support/printable.h"

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

// For models that were not decided, since a limit ended the run before.
void add_unknowns(std::vector<core::Verdict>& verdicts, const CheckRequest& request, const std::string& reason) {
  for (std::size_t i = verdicts.size(); i < request.models.size(); ++i) {
    core::Verdict& verdict = verdicts.emplace_back();
    verdict.model = request.models[i];
    verdict.reason = reason;
  }
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
    {
      const std::lock_guard lock(mutex_);
      known_.push_back(verdict);
    }
    if (silent_) return;
    progress_.clear();
    put(report::verdict_line(report::printable(verdict), style_) + "\n");
    std::fflush(stdout);
  }

  // What has been printed. May be called by any thread.
  std::vector<core::Verdict> known() {
    const std::lock_guard lock(mutex_);
    return known_;
  }

  void rest(const std::vector<core::Verdict>& verdicts, bool with_trace) {
    while (known_.size() < verdicts.size()) line(verdicts[known_.size()]);
    if (silent_) return;
    std::set<std::string> seen;
    for (const core::Verdict& verdict : verdicts)
      for (const std::string& note : verdict.notes)
        if (seen.insert(note).second) put(fmt::format("note: {}\n", support::printable(note)));
    put(report::assumptions_text(verdicts));
    for (const core::Verdict& verdict : verdicts) {
      if (!with_trace || verdict.outcome != core::Outcome::Unsafe || !verdict.trace) continue;
      put("\n" + report::trace_text(*report::printable(verdict).trace, style_));
      break;
    }
  }

 private:
  ProgressLine& progress_;
  report::TextStyle style_;
  std::mutex mutex_;
  std::vector<core::Verdict> known_;
  bool silent_ = false;
};

int check(CheckRequest request) {
  const auto language = settle(request);
  if (!language) return input_error(language.error());
  if (const auto refused = refuse_reports(request)) return input_error(*refused);

  core::Budget budget;
  std::atomic<double> overtime{0};
  limit(budget, request);
  budget.overtime = &overtime;
  std::optional<core::Watchdog> watchdog(std::in_place, budget, interrupt_count(), give_up);
  if ((*language)->runner != nullptr) return (*language)->runner(request, budget);
  ProgressLine progress(budget, !request.quiet);
  Printer printer(request, **language, progress);
  request.decided = [&](const core::Verdict& verdict) { printer.line(verdict); };
  std::vector<report::Drawing> drawings;
  if (!request.dot.empty() || !request.svg.empty() || !request.html.empty()) request.drawings = &drawings;

  const auto finish = [&](const std::vector<core::Verdict>& verdicts) {
    printer.rest(verdicts, request.trace);
    const auto failed = write_reports(request, {request.files, verdicts, {}}, drawings);
    return failed ? input_error(*failed) : exit_code(request, verdicts);
  };
  std::optional<OnGivingUp> giving_up(std::in_place, [&](const std::string& reason) {
    std::vector<core::Verdict> verdicts = printer.known();
    add_unknowns(verdicts, request, reason);
    drawings.clear();
    return finish(verdicts);
  });

  auto verdicts = (*language)->checker(request, budget);
  watchdog.reset();
  giving_up.reset();
  progress.clear();
  if (!verdicts) {
    if (!verdicts.error().limit) return input_error(verdicts.error());
    std::vector<core::Verdict> unknown = printer.known();
    add_unknowns(unknown, request, verdicts.error().message);
    return finish(unknown);
  }
  return finish(*verdicts);
}

}  // namespace

Action declare_check(CLI::App& app) {
  auto request = declare_request(app);
  return [request] { return check(*request); };
}

}  // namespace heddle::cli
