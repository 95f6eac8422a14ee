// `heddle ltl`: a formula of linear temporal logic as a Büchi automaton.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <memory>
#include <string>

#include "cli/command_line.h"
#include "cli/commands.h"
#include "cli/last_resort.h"
#include "core/interrupt.h"
#include "core/watchdog.h"
#include "ltl/degeneralise.h"
#include "ltl/show.h"
#include "ltl/translate.h"

namespace heddle::cli {

namespace {

struct LtlRequest {
  std::string formula;
  std::string format = "hoa";
  bool negated = false;
  bool generalised = false;
};

int translate(const LtlRequest& request, const CheckRequest& limits) {
  core::Budget budget;
  limit(budget, limits);
  const core::Watchdog watchdog(budget, core::interrupt_count(), give_up);
  const auto sentence = ltl::read_formula(request.formula);
  if (!sentence) {
    std::fputs(support::render(sentence.error()).c_str(), stderr);
    return exit_input_error;
  }
  auto automaton = ltl::generalised(
      *sentence, {.negated = request.negated, .stop = [&budget] { return budget.over().has_value(); }});
  if (!automaton) {
    if (const auto reason = budget.over()) give_up(*reason);
    support::Diagnostic d;
    d.message = fmt::format("the formula has more than {} different right-hand sides of U", ltl::most_marks);
    std::fputs(support::render(d).c_str(), stderr);
    return exit_input_error;
  }
  const bool spelt = automaton->recurring.size() <= ltl::most_spelt;
  if (request.format == "never" || !request.generalised || (request.format == "hoa" && !spelt))
    automaton = ltl::degeneralise(*automaton);
  const std::string name = request.negated ? fmt::format("!({})", request.formula) : request.formula;
  const auto text = request.format == "never" ? ltl::never_text
                    : request.format == "dot" ? ltl::dot_text
                                              : ltl::hoa_text;
  fmt::print("{}", text(*automaton, name));
  return exit_safe;
}

}  // namespace

Action declare_ltl(CLI::App& app) {
  auto request = std::make_shared<LtlRequest>();
  app.add_option("FORMULA", request->formula, "G F X U R W M, [] <> V, ! && || -> <-> over expressions")->required();
  app.add_option("-f,--format", request->format, "hoa, dot or never (a never claim of Promela)")
      ->check(CLI::IsMember({"hoa", "dot", "never"}));
  app.add_flag("-n,--negate", request->negated, "the automaton of the violations");
  app.add_flag("-g,--generalised", request->generalised, "several acceptance sets, on edges; fewer states");
  const auto limits = declare_limits(app);
  return [request, limits] { return translate(*request, *limits); };
}

}  // namespace heddle::cli
