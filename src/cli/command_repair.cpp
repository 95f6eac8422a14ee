// `heddle repair`: the smallest change that makes a program safe under a model.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/last_resort.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "cli/reports.h"
#include "core/interrupt.h"
#include "core/watchdog.h"
#include "drive/repair.h"

namespace heddle::cli {

namespace {

// Prints the answers and writes them to the files that are asked for; the exit code.
int told(const CheckRequest& request, const drive::RepairOptions& options, const std::string& output,
         const std::vector<drive::Repair>& repairs, const core::Budget& budget) {
  if (!*request.quiet && *request.json != "-") put(report::text_of(repairs));
  const std::string& file = options.patch.empty() ? output : options.patch;
  if (const drive::Repair& last = repairs.back(); last.outcome == core::Outcome::Safe && !file.empty()) {
    if (!last.no_text.empty()) return input_error({file, 0, 0, last.no_text, "", "change the text by hand"});
    if (!written(file, last.text, budget)) return input_error({file, 0, 0, "cannot be written", "", ""});
  }
  if (!request.json->empty() && !written(*request.json, report::json_of(request.files, repairs), budget))
    return input_error({*request.json, 0, 0, "cannot be written", "", ""});
  return drive::exit_code(repairs);
}

int run(CheckRequest request, const drive::RepairOptions& options, const std::string& output) {
  const auto language = settle(request);
  if (!language) return input_error(language.error());
  if (!output.empty() && (*language)->repairs_orders)
    return input_error({"", 0, 0, "--output is about models", "", "--patch writes the changes of a C program"});
  if (!output.empty() && request.models->size() != 1 && !options.together)
    return input_error({"", 0, 0, "--output is about one repair", "", "choose one model, or add --together"});
  std::vector<std::string> inputs = request.files;
  inputs.insert(inputs.end(), {*request.atomic_file, *request.automaton, options.start, options.check_certificate});
  inputs.insert(inputs.end(), request.ltl->begin(), request.ltl->end());
  if (const auto refused = refuse_places(inputs, {*request.json, options.certificate, options.patch, output}))
    return input_error(*refused);
  core::Budget budget;
  limit(budget, request);
  std::optional<core::Watchdog> watchdog(std::in_place, budget, core::interrupt_count(), give_up);
  ProgressLine progress(budget, !*request.quiet);
  std::optional<OnGivingUp> giving_up(std::in_place, [&](const core::Reason& reason) {
    return told(request, options, output, drive::undecided(request, options, reason.text), budget);
  });
  const auto repairs = drive::repair(**language, request, options, budget);
  watchdog.reset();
  giving_up.reset();
  progress.clear();
  if (!repairs) return input_error(repairs.error());
  return told(request, options, output, *repairs, budget);
}

}  // namespace

Action declare_repair(CLI::App& app) {
  auto request = declare_request(app, drive::split(drive::repair_takes(), ' '));
  auto output = std::make_shared<std::string>();
  auto options = std::make_shared<drive::RepairOptions>();
  app.add_option("-o,--output", *output, "write the repaired program, or the file for --atomic, to this file")
      ->type_name("FILE")
      ->check(not_empty);
  for (const drive::RepairFlag& flag : drive::repair_flags())
    app.add_flag(flag.name, (*options).*flag.member, flag.help);
  for (const drive::RepairText& text : drive::repair_texts())
    app.add_option(text.name, (*options).*text.member, text.help)->type_name(text.value)->check(not_empty);
  app.add_option("--variant", options->variants, "definitions of a variant that must hold too, as \"-D TEST=2\" (C)")
      ->type_name("DEFINITIONS");
  return [request, options, output] { return run(*request, *options, *output); };
}

}  // namespace heddle::cli
