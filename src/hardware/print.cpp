// SPDX-License-Identifier: Apache-2.0
#include "hardware/print.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace heddle::hardware {
namespace {

using Json = nlohmann::ordered_json;

// "1:X0=1; 1:X2=0;"
std::string state_text(const lang::litmus::Test& test, const Outcome& outcome) {
  std::string text;
  for (const std::uint32_t k : test.shown)
    text += fmt::format("{}={}; ", test.observed[k].text,
                        lang::litmus::show_value(test, outcome.values[k], test.observed[k].type));
  return text.empty() ? "(nothing is observed)" : text.substr(0, text.size() - 1);
}

std::string name_of(const Answer& answer, const TestRun& run) {
  return run.setting.empty() ? answer.test.name : fmt::format("{} ({})", answer.test.name, run.setting);
}

const char* verdict_of(const TestRun& run) {
  if (!run.why_not.empty()) return "not run";
  if (run.forbidden()) return "FORBIDDEN";
  return run.unjudged.empty() ? "allowed" : "not judged";
}

}  // namespace

std::string histograms(const Answer& answer) {
  if (!answer.mistake.empty()) return answer.mistake;
  std::string text;
  for (const TestRun& run : answer.runs) {
    text += fmt::format("Test {}\n", name_of(answer, run));
    if (!run.why_not.empty()) {
      text += fmt::format("Not run: {}\n\n", run.why_not);
      continue;
    }
    text += fmt::format("Histogram ({} states, {} allows {})\n", run.outcomes.size(), run.model, run.allowed);
    for (const Outcome& o : run.outcomes) {
      const bool forbidden = !o.allowed && run.unjudged.empty();
      text += fmt::format("{:<10}{}>{}{}\n", o.count,
                          forbidden     ? '!'
                          : o.satisfies ? '*'
                                        : ':',
                          state_text(answer.test, o),
                          forbidden  ? fmt::format("  FORBIDDEN by {}", run.model)
                          : !o.by_sc ? "  not under sc"
                                     : "");
    }
    // A model that has not given the whole answer allows what it has found, and forbids nothing.
    text += fmt::format("Condition {}: seen {} times of {}, {} by {}\n", answer.test.condition.text, run.satisfying(),
                        run.runs,
                        run.condition_allowed  ? "allowed"
                        : run.unjudged.empty() ? "forbidden"
                                               : "not judged",
                        run.model);
    if (!run.unjudged.empty()) text += fmt::format("Not judged: {}\n", run.unjudged);
    text += fmt::format("Time {} {:.2f}\n\n", answer.test.name, run.seconds);
  }
  return text;
}

std::string table(const std::vector<Answer>& answers) {
  std::vector<std::vector<std::string>> rows{
      {"test", "model", "runs", "seen/allowed", "not under sc", "condition", "outcomes"}};
  for (const Answer& answer : answers) {
    if (!answer.mistake.empty())
      rows.push_back(
          {answer.file, "-", "-", "-", "-", "-", "not read: " + answer.mistake.substr(0, answer.mistake.find('\n'))});
    for (const TestRun& run : answer.runs) {
      const bool ran = run.why_not.empty();
      rows.push_back({name_of(answer, run), run.model, ran ? std::to_string(run.runs) : "-",
                      ran ? fmt::format("{}/{}", run.outcomes.size(), run.allowed) : "-",
                      ran ? std::to_string(run.beyond_sc()) : "-", ran ? std::to_string(run.satisfying()) : "-",
                      ran ? verdict_of(run) : "not run: " + run.why_not});
    }
  }
  std::vector<std::size_t> widths(rows[0].size(), 0);
  for (const auto& row : rows)
    for (std::size_t k = 0; k + 1 < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t k = 0; k + 1 < row.size(); ++k) text += fmt::format("{:<{}}  ", row[k], widths[k]);
    text += row.back() + "\n";
  }
  return text;
}

std::string summary(const std::vector<Answer>& answers) {
  std::size_t tests = 0, not_run = 0, forbidden = 0, beyond = 0;
  std::uint64_t runs = 0;
  for (const Answer& answer : answers) {
    const auto any = [&](auto&& what) { return std::ranges::any_of(answer.runs, what); };
    ++tests;
    not_run += !any([](const TestRun& r) { return r.why_not.empty(); });
    forbidden += any([](const TestRun& r) { return r.forbidden(); });
    beyond += any([](const TestRun& r) { return r.beyond_sc() > 0; });
    for (const TestRun& r : answer.runs) runs += r.runs;
  }
  return fmt::format("{} tests, {} not run, {} runs\nforbidden by the model: {} tests; not under sc: {} tests\n", tests,
                     not_run, runs, forbidden, beyond);
}

std::string json(const std::vector<Answer>& answers, std::string_view machine, const std::string& compiler) {
  Json tests = Json::array();
  for (const Answer& answer : answers) {
    Json test = {{"file", answer.file}};
    if (!answer.mistake.empty()) {
      test["error"] = answer.mistake;
      tests.push_back(std::move(test));
      continue;
    }
    test["name"] = answer.test.name;
    test["condition"] = answer.test.condition.text;
    test["runs"] = Json::array();
    for (const TestRun& run : answer.runs) {
      Json one = {{"setting", run.setting}, {"model", run.model}, {"verdict", verdict_of(run)}};
      if (!run.why_not.empty()) one["reason"] = run.why_not;
      if (!run.unjudged.empty()) one["reason"] = run.unjudged;
      one["count"] = run.runs;
      one["seconds"] = run.seconds;
      one["allowed"] = run.allowed;
      one["outcomes"] = Json::array();
      for (const Outcome& o : run.outcomes) {
        Json values = Json::object();
        for (const std::uint32_t k : answer.test.shown)
          values[answer.test.observed[k].text] =
              lang::litmus::show_value(answer.test, o.values[k], answer.test.observed[k].type);
        one["outcomes"].push_back({{"values", values},
                                   {"count", o.count},
                                   {"satisfies", o.satisfies},
                                   {"allowed", o.allowed},
                                   {"sc", o.by_sc}});
      }
      test["runs"].push_back(std::move(one));
    }
    tests.push_back(std::move(test));
  }
  return Json{{"machine", machine}, {"compiler", compiler}, {"tests", tests}}.dump(2) + "\n";
}

}  // namespace heddle::hardware
