// `heddle check`: one verdict line per model, then one trace, for the first that is unsafe.
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
#include <utility>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/last_resort.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "core/interrupt.h"
#include "core/watchdog.h"
#include "drive/ladder.h"
#include "drive/litmus.h"
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

// Prints lines as verdicts come; what the checker did not announce itself is printed at the end.
class Printer {
 public:
  Printer(const CheckRequest& request, const drive::Language& language, ProgressLine& progress) : progress_(progress) {
    // A report on standard output must be the only output there.
    silent_ = *request.quiet || writes_standard_output(request);
    style_.colours = has_colours(STDOUT_FILENO);
    style_.engines = drive::split(language.engines, ' ').size() > 1;
    for (const std::string& model : *request.models) style_.model_width = std::max(style_.model_width, model.size());
  }

  void line(const core::Verdict& verdict) {
    std::string text;
    {
      // Traces may be long, and memory is limited: the line is made of a verdict whose trace is set aside, not copied.
      const std::lock_guard lock(mutex_);
      ++printed_;
      core::Verdict& kept = known_.emplace_back(verdict);
      std::optional<core::Trace> trace = std::exchange(kept.trace, std::nullopt);
      text = report::verdict_line(report::printable(kept), style_) + "\n";
      kept.trace = std::move(trace);
    }
    if (silent_) return;
    progress_.clear();
    put(text);
    std::fflush(stdout);
  }

  // What has been printed. May be called by any thread.
  std::vector<core::Verdict> known() {
    const std::lock_guard lock(mutex_);
    return known_;
  }

  void rest(const std::vector<core::Verdict>& verdicts, bool with_trace) {
    while (printed_ < verdicts.size()) line(verdicts[printed_]);
    {
      const std::lock_guard lock(mutex_);
      known_.clear();  // all of them are at hand
    }
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
    put(advice_);
  }
  void advise(const std::string& text) { advice_ = support::printable(text) + "\n"; }

 private:
  ProgressLine& progress_;
  report::TextStyle style_;
  std::mutex mutex_;
  std::vector<core::Verdict> known_;
  std::size_t printed_ = 0;
  std::string advice_;
  bool silent_ = false;
};

// The reports of litmus tests' answers, and the exit code.
int finish_tests(const CheckRequest& request, const drive::LitmusRun& run, const core::Budget& budget) {
  report::Run reported{request.files, {}, {}};
  std::vector<report::Drawing> drawings;
  for (const drive::LitmusAnswer& answer : run.answers) {
    reported.verdicts.insert(reported.verdicts.end(), answer.verdicts.begin(), answer.verdicts.end());
    reported.tests.insert(reported.tests.end(), answer.tests.begin(), answer.tests.end());
    drawings.insert(drawings.end(), answer.drawings.begin(), answer.drawings.end());
  }
  if (const auto failed = write_reports(request, reported, drawings, budget)) return input_error(*failed);
  return drive::exit_code(request, run);
}

// Litmus tests have answers of their own, as herd7 prints them, or a table.
int check_tests(const CheckRequest& request, core::Budget& budget) {
  const bool silent = *request.quiet || writes_standard_output(request);
  std::mutex mutex;
  drive::LitmusRun known;  // what has been answered when the run is given up
  std::optional<OnGivingUp> giving_up(std::in_place, [&](const core::Reason& reason) {
    const std::lock_guard lock(mutex);
    std::fprintf(stderr, "UNKNOWN: %s\n", reason.text.c_str());
    for (std::size_t i = known.answers.size(); i < request.files.size(); ++i) {
      drive::LitmusAnswer& missing = known.answers.emplace_back();
      missing.unknown = true;
      drive::add_unknowns(missing.verdicts, request, reason);
      missing.tests.resize(missing.verdicts.size());
      for (report::TestAnswer& test : missing.tests) test.file = request.files[i];
    }
    return finish_tests(request, known, budget);
  });
  const auto run = drive::run_litmus(request, *request.table, budget, [&](const drive::LitmusAnswer& answer) {
    {
      const std::lock_guard lock(mutex);
      drive::LitmusAnswer& kept = known.answers.emplace_back();
      kept.mistake = answer.mistake;
      kept.unknown = answer.unknown;
      kept.verdicts = answer.verdicts;
      kept.tests = answer.tests;
    }
    if (!answer.mistake.empty()) std::fputs(answer.mistake.c_str(), stderr);
    else if (!silent) put(answer.block);
    std::fflush(stdout);  // who follows a long run through a pipe sees each answer as it comes
  });
  giving_up.reset();
  if (!run) return input_error(run.error());
  std::vector<lang::litmus::TableRow> rows;
  for (const drive::LitmusAnswer& answer : run->answers)
    if (answer.mistake.empty()) rows.push_back(answer.row);
  if (*request.table && !silent) put(lang::litmus::table(run->models, rows));
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    return input_error({"", 0, 0, "the answers cannot be written to standard output", "", ""});
  return finish_tests(request, *run, budget);
}

int check(CheckRequest request) {
  const auto language = settle(request);
  if (!language) return input_error(language.error());
  if (const auto refused = refuse_reports(request)) return input_error(*refused);

  core::Budget budget;
  std::atomic<double> overtime{0};
  limit(budget, request);
  budget.overtime = &overtime;
  std::optional<core::Watchdog> watchdog(std::in_place, budget, core::interrupt_count(), give_up);
  std::vector<report::Drawing> drawings;
  if (!request.dot->empty() || !request.svg->empty() || !request.html->empty()) request.drawings = &drawings;
  request.draws_states = !request.dot->empty();
  if ((*language)->load == nullptr) return check_tests(request, budget);
  ProgressLine progress(budget, !*request.quiet);
  Printer printer(request, **language, progress);
  request.decided = [&](const core::Verdict& verdict) { printer.line(verdict); };
  request.advise = [&](const std::string& text) { printer.advise(text); };

  const auto finish = [&](std::vector<core::Verdict> verdicts) {
    printer.rest(verdicts, *request.trace);
    core::leave_interrupts();
    const report::Run run{request.files, std::move(verdicts), {}};
    const auto failed = write_reports(request, run, drawings, budget);
    return failed ? input_error(*failed) : drive::exit_code(request, run.verdicts);
  };
  std::optional<OnGivingUp> giving_up(std::in_place, [&](const core::Reason& reason) {
    std::vector<core::Verdict> verdicts = printer.known();
    drive::add_unknowns(verdicts, request, reason);
    drawings.clear();
    return finish(std::move(verdicts));
  });

  auto verdicts = drive::check(**language, request, budget);
  watchdog.reset();
  giving_up.reset();
  progress.clear();
  if (verdicts) return finish(std::move(*verdicts));
  if (!verdicts.error().limit) return input_error(verdicts.error());
  std::vector<core::Verdict> unknown = printer.known();
  drive::add_unknowns(unknown, request, {core::Reason::Kind::Reading, verdicts.error().message});
  return finish(std::move(unknown));
}

}  // namespace

Action declare_check(CLI::App& app) {
  auto request = declare_request(app);
  return [request] { return check(*request); };
}

}  // namespace heddle::cli
