// SPDX-License-Identifier: Apache-2.0
#include "lang/litmus/print.h"

#include <fmt/format.h>

#include <algorithm>

namespace heddle::lang::litmus {

const char* observation(const ModelResult& r) {
  return r.positive == 0 ? "Never" : r.negative == 0 ? "Always" : "Sometimes";
}

std::string herd_block(const Test& test, const ModelResult& r, unsigned unroll, bool name_model) {
  static const char* const titles[] = {"Allowed", "Forbidden", "Required"};
  if (!r.refusal.none()) {
    std::string out = fmt::format("Test {} Unknown\n", test.name);
    if (name_model) out += fmt::format("Model {}\n", r.model);
    const bool placed = r.refused_at.line != 0;
    return out + fmt::format("Reason {}{}\n\n", placed ? "" : test.file + ": ", r.refusal.text);
  }
  std::string out = fmt::format("Test {} {}\n", test.name, titles[static_cast<int>(test.condition.quantifier)]);
  if (name_model) out += fmt::format("Model {}\n", r.model);
  out += fmt::format("States {}\n", r.states.size());
  std::vector<std::string> lines;
  for (const FinalValues& state : r.states) {
    std::string line;
    for (std::size_t i = 0; i < test.shown.size(); ++i) {
      const Observed& o = test.observed[test.shown[i]];
      line += fmt::format("{}{}={};", i == 0 ? "" : " ", o.text, show_value(test, state.values[i], o.type));
    }
    lines.push_back(std::move(line));
  }
  for (const std::string& line : lines) out += line + "\n";
  out += r.condition_holds(test) ? "Ok\n" : "No\n";
  // A witness is positive if it speaks for the condition.
  const bool inverted = test.condition.quantifier == Quantifier::NotExists;
  out += fmt::format("Witnesses\nPositive: {} Negative: {}\n", inverted ? r.negative : r.positive,
                     inverted ? r.positive : r.negative);
  if (r.racy) out += "Flag race\n";
  for (const std::string& flag : r.flags) out += fmt::format("Flag {}\n", flag);
  if (r.misaligned) out += fmt::format("Assumes that {}\n", misaligned_is_one);
  if (r.cut_off) out += fmt::format("Bound loop {}: longer runs were not looked at\n", unroll);
  out += fmt::format("Condition {}\n", test.condition.text);
  out += fmt::format("Observation {} {} {} {}\n", test.name, observation(r), r.positive, r.negative);
  if (!r.why.empty()) out += fmt::format("Because {}\n", r.why);
  out += fmt::format("Time {} {:.2f}\n\n", test.name, r.seconds);
  return out;
}

std::string table_cell(const Test& test, const ModelResult& r) {
  if (!r.refusal.none())
    return axioms::find_model(r.model) != nullptr &&
                   !not_applicable(test.dialect, {r.model, axioms::find_model(r.model), nullptr}).empty()
               ? "-"
               : "?";
  return std::string(observation(r)) + (r.cut_off ? "*" : "") + (r.misaligned ? "!" : "");
}

std::string table(std::span<const std::string> models, std::span<const TableRow> rows) {
  std::size_t name_width = 4;
  for (const TableRow& row : rows) name_width = std::max(name_width, row.test.size());
  std::vector<std::size_t> widths;
  for (std::size_t m = 0; m < models.size(); ++m) {
    std::size_t width = models[m].size();
    for (const TableRow& row : rows) width = std::max(width, row.cells[m].size());
    widths.push_back(width);
  }
  const auto line = [&](const std::string& name, auto&& cell) {
    std::string out = fmt::format("{:<{}}", name, name_width);
    for (std::size_t m = 0; m < models.size(); ++m) out += fmt::format("  {:<{}}", cell(m), widths[m]);
    while (!out.empty() && out.back() == ' ') out.pop_back();
    return out + "\n";
  };
  std::string out = line("test", [&](std::size_t m) { return models[m]; });
  for (const TableRow& row : rows) out += line(row.test, [&](std::size_t m) { return row.cells[m]; });
  return out;
}

}  // namespace heddle::lang::litmus
