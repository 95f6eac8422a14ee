// `heddle repair`: the smallest change that makes a program safe under a model.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <fstream>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/languages.h"
#include "cli/progress.h"
#include "cli/repairer.h"

namespace heddle::cli {

// Each lives in repair_<language>.cpp.
support::Result<int> repair_cubicle(const CheckRequest&, const std::string& output, core::Budget&);

namespace {

struct Row {
  const char* language;  // as languages.cpp names it
  Repairer repairer;
};

const Row table[] = {
    {"Cubicle", repair_cubicle},
};

int run(CheckRequest request, const std::string& output) {
  const auto failed = [](const support::Diagnostic& d) {
    std::fputs(support::render(d).c_str(), stderr);
    return static_cast<int>(exit_input_error);
  };
  const auto language = settle(request);
  if (!language) return failed(language.error());
  for (const Row& row : table) {
    if (std::string_view(row.language) != (*language)->name) continue;
    core::Budget budget;
    limit(budget, request);
    ProgressLine progress(budget, !request.quiet);
    const auto code = row.repairer(request, output, budget);
    progress.clear();
    return code ? *code : failed(code.error());
  }
  return failed({"", 0, 0, fmt::format("there is no repair for {}", (*language)->name), "", ""});
}

}  // namespace

Action declare_repair(CLI::App& app) {
  auto request =
      declare_request(app, {"--model", "--timeout", "--memory", "--max-states", "--workers", "--brab", "--quiet"});
  auto output = std::make_shared<std::string>();
  app.add_option("-o,--output", *output, "write the repaired program to this file")->type_name("FILE");
  return [request, output] { return run(*request, *output); };
}

}  // namespace heddle::cli
