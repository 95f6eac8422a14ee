// `heddle repair`: the smallest change that makes a program safe under a model.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/progress.h"
#include "drive/repair.h"

namespace heddle::cli {

namespace {

int run(CheckRequest request, const drive::RepairOptions& options, const std::string& output) {
  const auto language = settle(request);
  if (!language) return input_error(language.error());
  if (!output.empty() && request.models->size() != 1)
    return input_error({"", 0, 0, "--output is about one model", "", "choose it with --model"});
  core::Budget budget;
  limit(budget, request);
  ProgressLine progress(budget, !*request.quiet);
  const auto repairs = drive::repair(**language, request, options, budget);
  progress.clear();
  if (!repairs) return input_error(repairs.error());
  int code = exit_safe;
  for (const drive::Repair& repair : *repairs) {
    fmt::print("{}  {}\n", repair.model, repair.summary);
    for (const std::string& place : repair.places) fmt::print("     {}\n", place);
    if (repair.outcome == core::Outcome::Unsafe) code = drive::exit_unsafe;
    if (repair.outcome == core::Outcome::Unknown && code == exit_safe) code = exit_unknown;
    if (repair.outcome != core::Outcome::Safe || output.empty()) continue;
    if (!repair.no_text.empty()) return input_error({output, 0, 0, repair.no_text, "", "change the text by hand"});
    std::ofstream out(output, std::ios::binary);
    out << repair.text;
    if (!out.flush()) return input_error({output, 0, 0, "cannot be written", "", ""});
  }
  return code;
}

}  // namespace

Action declare_repair(CLI::App& app) {
  auto request = declare_request(app, {"--model", "--property", "--invariant", "--reach", "--ltl", "--automaton",
                                       "--fair", "--memory-fairness", "--buffer", "--timeout", "--memory",
                                       "--max-states", "--workers", "--brab", "--define", "--atomic", "--quiet"});
  auto output = std::make_shared<std::string>();
  auto options = std::make_shared<drive::RepairOptions>();
  app.add_option("-o,--output", *output, "write the repaired program, or the file for --atomic, to this file")
      ->type_name("FILE");
  app.add_option_function<std::string>(
         "--with", [options](const std::string& what) { options->with = what; },
         "what may be added to a model: atomic (locked) writes, fences (.pml, .rmm: behind stores) or both")
      ->check(CLI::IsMember({"atomic", "fence", "both"}))
      ->type_name("atomic|fence|both [atomic; .pml: fence]");
  app.add_flag("--all", options->all, "all smallest sets for a model, not only one");
  return [request, options, output] { return run(*request, *options, *output); };
}

}  // namespace heddle::cli
