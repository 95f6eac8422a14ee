// `heddle hardware`: litmus tests on the machine itself, held against its memory model.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include <cstdio>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/last_resort.h"
#include "cli/output.h"
#include "cli/reports.h"
#include "core/interrupt.h"
#include "core/watchdog.h"
#include "hardware/session.h"

namespace heddle::cli {

namespace {

int run(CheckRequest request, const hardware::Options& options) {
  const auto language = settle(request);
  if (!language) return input_error(language.error());
  if ((*language)->load != nullptr)
    return input_error(
        {request.files[0], 0, 0, "hardware runs litmus tests only", "", "give .litmus files or folders"});
  if (const auto refused = refuse_places(request.files, {*request.json})) return input_error(*refused);
  core::Budget budget;
  limit(budget, request);
  hardware::Session session(options, *request.table);
  const auto finish = [&](const std::vector<hardware::Answer>& answers, bool whole) -> int {
    int unwritten = 0;
    if (!request.json->empty() && !written(*request.json, session.json(answers), budget))
      unwritten = input_error({*request.json, 0, 0, "cannot be written", "", ""});
    if (hardware::forbidden(answers)) return drive::exit_unsafe;  // whatever else went wrong
    if (unwritten != 0) return unwritten;
    return whole && hardware::complete(answers) ? exit_safe : exit_unknown;
  };
  const OnGivingUp giving_up([&](const core::Reason& reason) {
    std::fprintf(stderr, "UNKNOWN: %s\n", reason.text.c_str());
    return finish(session.known(), false);
  });
  const core::Watchdog watchdog(budget, core::interrupt_count(), give_up);
  const bool silent = writes_standard_output(request);
  const auto answers = session.run(request.files, budget, [&](std::string_view text) {
    if (!silent) put(text);
    std::fflush(stdout);
  });
  if (!answers) return input_error(answers.error());
  return finish(*answers, true);
}

}  // namespace

Action declare_hardware(CLI::App& app) {
  auto request = declare_request(app, {"--timeout", "--memory", "--table", "--json"});
  auto options = std::make_shared<hardware::Options>();
  app.add_option("--rounds", options->rounds, "of a thousand instances of each test")->check(CLI::Range(1, 1000000));
  app.add_option("--compiler", options->compiler, "that compiles for this machine; by default cc or clang")
      ->check(not_empty);
  return [request, options] { return run(*request, *options); };
}

}  // namespace heddle::cli
