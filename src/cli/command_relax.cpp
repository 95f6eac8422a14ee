// `heddle relax`: a DVE model with one-place store buffers written into it.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/last_resort.h"
#include "cli/output.h"
#include "cli/reports.h"
#include "core/interrupt.h"
#include "core/watchdog.h"
#include "drive/relax.h"

namespace heddle::cli {

namespace {

int run(CheckRequest request, const drive::RelaxOptions& options, const std::string& output) {
  const auto language = settle(request);
  if (!language) return input_error(language.error());
  if (const auto refused = refuse_places({request.files[0], *request.atomic_file}, {output}))
    return input_error(*refused);
  core::Budget budget;
  limit(budget, request);
  const core::Watchdog watchdog(budget, core::interrupt_count(), give_up);
  const auto text = drive::relax(**language, request, options, budget);
  if (!text) return input_error(text.error());
  if (!written(output.empty() ? "-" : output, *text, budget))
    return input_error({output, 0, 0, "cannot be written", "", ""});
  return exit_safe;
}

}  // namespace

Action declare_relax(CLI::App& app) {
  auto request = declare_request(app, {"--define", "--atomic", "--timeout", "--memory"});
  auto options = std::make_shared<drive::RelaxOptions>();
  auto output = std::make_shared<std::string>();
  app.add_option("-o,--output", *output, "write it to this file, not to standard output")
      ->type_name("FILE")
      ->check(not_empty);
  app.add_flag("--compact", options->compact, "select what a read sees by arithmetic, not by copies of transitions");
  app.add_flag("--every-slot", options->every_slot,
               "slots also for variables that a process never stores to, as in the thesis");
  return [request, options, output] { return run(*request, *options, *output); };
}

}  // namespace heddle::cli
