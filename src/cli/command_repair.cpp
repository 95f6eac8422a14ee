// `heddle repair`: the smallest change that makes a program safe under a model.
// SPDX-License-Identifier: Apache-2.0
#include <CLI/CLI.hpp>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/progress.h"
#include "drive/repair.h"

namespace heddle::cli {

namespace {

int run(CheckRequest request, const drive::RepairOptions& options, const std::string& output) {
  const auto language = settle(request);
  if (!language) return input_error(language.error());
  if (!output.empty() && (*language)->repairs_orders)
    return input_error({"", 0, 0, "--output is about models", "", "--patch writes the changes of a C program"});
  if (!output.empty() && request.models->size() != 1 && !options.together)
    return input_error({"", 0, 0, "--output is about one repair", "", "choose one model, or add --together"});
  core::Budget budget;
  limit(budget, request);
  ProgressLine progress(budget, !*request.quiet);
  const auto repairs = drive::repair(**language, request, options, budget);
  progress.clear();
  if (!repairs) return input_error(repairs.error());
  if (!*request.quiet && *request.json != "-") put(report::text_of(*repairs));
  const std::string& file = options.patch.empty() ? output : options.patch;
  if (const drive::Repair& last = repairs->back(); last.outcome == core::Outcome::Safe && !file.empty()) {
    if (!last.no_text.empty()) return input_error({file, 0, 0, last.no_text, "", "change the text by hand"});
    if (!written(file, last.text)) return input_error({file, 0, 0, "cannot be written", "", ""});
  }
  if (!request.json->empty() && !written(*request.json, report::json_of(request.files, *repairs)))
    return input_error({*request.json, 0, 0, "cannot be written", "", ""});
  return drive::exit_code(*repairs);
}

}  // namespace

Action declare_repair(CLI::App& app) {
  auto request = declare_request(app, drive::split(drive::repair_takes(), ' '));
  auto output = std::make_shared<std::string>();
  auto options = std::make_shared<drive::RepairOptions>();
  app.add_option("-o,--output", *output, "write the repaired program, or the file for --atomic, to this file")
      ->type_name("FILE");
  for (const drive::RepairFlag& flag : drive::repair_flags())
    app.add_flag(flag.name, (*options).*flag.member, flag.help);
  for (const drive::RepairText& text : drive::repair_texts())
    app.add_option(text.name, (*options).*text.member, text.help)->type_name(text.value);
  app.add_option("--variant", options->variants, "definitions of a variant that must hold too, as \"-D TEST=2\" (C)")
      ->type_name("DEFINITIONS");
  return [request, options, output] { return run(*request, *options, *output); };
}

}  // namespace heddle::cli
