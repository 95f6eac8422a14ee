// `heddle generate`: litmus tests from cycles of relaxations, to standard output or one file each into a folder.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/last_resort.h"
#include "cli/output.h"
#include "core/interrupt.h"
#include "core/watchdog.h"
#include "lang/litmus/generate_family.h"

namespace heddle::cli {

namespace {

int refused(const std::string& message) { return input_error({"", 0, 0, message, "", ""}); }

int generate(const lang::litmus::FamilyRequest& request, const std::string& output, const CheckRequest& limits) {
  core::Budget budget;
  limit(budget, limits);
  const core::Watchdog watchdog(budget, core::interrupt_count(), give_up);
  const auto tests = lang::litmus::generate_family(request);
  if (!tests) return refused(tests.error().message);
  std::error_code error;
  if (!output.empty()) std::filesystem::create_directories(output, error);
  bool first = true;
  for (const auto& test : *tests) {
    if (output.empty()) {
      const std::string text = (std::exchange(first, false) ? "" : "\n") + test.text;
      if (std::fputs(text.c_str(), stdout) < 0) return refused("the tests cannot be written to standard output");
      continue;
    }
    const std::string file = (std::filesystem::path(output) / (test.name + ".litmus")).string();
    std::ofstream out(file, std::ios::binary);
    out << test.text;
    if (!out.flush()) return refused(fmt::format("{} cannot be written", file));
  }
  if (!output.empty()) put(fmt::format("{} test{} in {}\n", tests->size(), tests->size() == 1 ? "" : "s", output));
  return std::fflush(stdout) != 0 ? refused("the tests cannot be written to standard output")
                                  : static_cast<int>(exit_safe);
}

}  // namespace

Action declare_generate(CLI::App& app) {
  auto request = std::make_shared<lang::litmus::FamilyRequest>();
  auto output = std::make_shared<std::string>();
  request->dialect = "AArch64";
  app.add_option("edges", request->edges,
                 "the cycle's edges, as PodWR Fre PodWR Fre; with --size, the edges to choose from")
      ->type_name("EDGE");
  app.add_option("-d,--dialect", request->dialect, "C, X86, X86_64, AArch64, PPC or RISCV")
      ->type_name("DIALECT [AArch64]");
  app.add_option("-s,--size", request->size, "all cycles of up to so many edges")->type_name("N");
  app.add_option("-n,--name", request->name, "name of the test, in place of the usual one")
      ->type_name("NAME")
      ->check(not_empty);
  app.add_option("-o,--output", *output, "write one file per test into this folder")
      ->type_name("DIR")
      ->check(not_empty);
  const auto limits = declare_limits(app);
  return [request, output, limits] { return generate(*request, *output, *limits); };
}

}  // namespace heddle::cli
