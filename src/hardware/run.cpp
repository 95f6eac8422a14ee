// SPDX-License-Identifier: Apache-2.0
#include "hardware/run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>

#include "axioms/models.h"
#include "core/child.h"
#include "core/input.h"
#include "hardware/harness.h"
#include "lang/litmus/run.h"

namespace heddle::hardware {
namespace {

namespace fs = std::filesystem;
namespace litmus = lang::litmus;

// A temporary folder, removed by the destructor.
class Folder {
 public:
  Folder() {
    std::error_code error;
    std::string pattern = (fs::temp_directory_path(error) / "heddle-hardware-XXXXXX").string();
    if (!error && ::mkdtemp(pattern.data()) != nullptr) path_ = pattern;
  }
  ~Folder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  const fs::path& path() const { return path_; }  // empty: it could not be made

 private:
  fs::path path_;
};

double left_of(const core::Budget& budget) {
  return budget.seconds ? std::max(0.0, *budget.seconds - budget.elapsed()) : 1e9;
}

// What the harness prints (harness.h).
bool read_outcomes(const std::string& text, const litmus::Test& test, std::uint64_t asked, TestRun& run) {
  std::istringstream lines(text);
  bool ended = false;
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string word;
    words >> word;
    if (word == "rounds") {
      std::uint64_t rounds = 0;
      ended = static_cast<bool>(words >> rounds);
      run.runs = rounds * instances_per_round;
      run.cut_short = rounds < asked;
    } else if (word == "lost") {
      words >> run.lost;
    } else if (word == "outcome") {
      Outcome o;
      words >> o.count;
      std::uint64_t of = 0, bits = 0;
      for (char colon = 0; words >> std::dec >> of >> colon >> std::hex >> bits;)
        o.values.push_back(
            of == 0 ? core::Value(bits)
                    : core::Value::address(static_cast<std::uint32_t>(of), static_cast<std::uint32_t>(bits)));
      if (o.values.size() != test.observed.size()) return false;
      run.outcomes.push_back(std::move(o));
    }
  }
  return ended;
}

bool shows(const litmus::Test& test, const litmus::FinalValues& state, const Outcome& outcome) {
  for (std::size_t k = 0; k < test.shown.size(); ++k)
    if (!litmus::same_value(outcome.values[test.shown[k]], state.values[k], test.observed[test.shown[k]].type))
      return false;
  return true;
}

class Judge {
 public:
  // `pairs`: see Setting.
  Judge(const litmus::Test& test, bool pairs, core::Budget& budget)
      : test_(test), pairs_(pairs), budget_(budget), sc_(states_under("sc")) {}

  void judge(TestRun& run) {
    if (test_.has_filter)
      std::erase_if(run.outcomes, [&](const Outcome& o) { return !litmus::holds(test_.filter, o.values, test_); });
    const litmus::ModelResult model = states_under(run.model);
    run.allowed = model.states.size();
    run.condition_allowed = std::ranges::any_of(model.states, &litmus::FinalValues::satisfies);
    if (!answered(model, run)) {
    } else if (model.cut_off) run.unjudged = "its loops may go round more often than the model was asked about";
    else if (model.misaligned) run.unjudged = "an access is misaligned: machines may split it";
    else if (test_.dialect == litmus::Dialect::C) judge_races(run);
    for (Outcome& o : run.outcomes) {
      o.satisfies = litmus::holds(test_.condition.formula, o.values, test_);
      const auto has = [&](const litmus::ModelResult& r) {
        return std::ranges::any_of(r.states, [&](const litmus::FinalValues& s) { return shows(test_, s, o); });
      };
      o.allowed = has(model);
      o.by_sc = !sc_.refusal.none() || sc_.cut_off || has(sc_);
    }
    if (run.lost > 0 && !run.forbidden())
      run.unjudged = fmt::format("there was no room for the outcomes of {} runs", run.lost);
    std::ranges::sort(run.outcomes, std::greater{}, &Outcome::count);
  }

 private:
  bool answered(const litmus::ModelResult& result, TestRun& run) const {
    if (result.refusal.none()) return true;
    run.unjudged = result.refusal.text;
    run.cut_short |= result.refusal.limit() || budget_.over().has_value();  // memory, the interrupt key
    return false;
  }

  void judge_races(TestRun& run) {
    const litmus::ModelResult language = states_under("rc11");
    if (answered(language, run) && language.racy) run.unjudged = "a data race: compilers may do as they please";
  }

  litmus::ModelResult states_under(const std::string& name) {
    const litmus::ModelChoice choice{name, axioms::find_model(name), nullptr};
    return litmus::run_test(test_, std::span(&choice, 1), {.unroll = 4, .spurious_cas = pairs_}, &budget_).front();
  }

  const litmus::Test& test_;
  const bool pairs_;
  core::Budget& budget_;
  litmus::ModelResult sc_;
};

// The first line of a compiler's messages that says what is wrong.
std::string first_error(const std::string& messages) {
  std::istringstream lines(messages);
  for (std::string line; std::getline(lines, line);)
    if (const std::size_t at = line.find("rror: "); at != std::string::npos) return line.substr(at + 6);
  return messages.substr(0, messages.find('\n'));
}

void compile_and_run(const std::string& source, const std::string& compiler, const Setting& setting,
                     const litmus::Test& test, const Options& options, core::Budget& budget, TestRun& run) {
  const Folder folder;
  const std::string file = (folder.path() / "test.c").string(), program = (folder.path() / "test").string();
  // Without a folder these would be files of the user's.
  if (folder.path().empty() || !(std::ofstream(file) << source).flush()) {
    run.why_not = "no temporary folder can be written to";
    return;
  }
  std::vector<std::string> command{compiler, "-std=gnu17", "-w", "-pthread"};
  command.insert(command.end(), setting.flags.begin(), setting.flags.end());
  command.insert(command.end(), {"-o", program, file});
  const core::ChildLimits limits{.budget = &budget, .seconds = 60};
  const core::ChildEnd compiled = core::run_program(command, {}, limits);
  if (!compiled.good()) {
    run.why_not = compiled.stopped.empty() && compiled.unstarted.empty() && compiled.signal == 0
                      ? "the compiler says: " + first_error(compiled.err)
                      : "the compiler " + core::end_text(compiled);
    return;
  }
  const double begun = budget.elapsed();
  // The program ends by itself a little before the limit and prints its outcomes so far.
  const core::ChildEnd ran = core::run_program(
      {program, std::to_string(options.rounds), fmt::format("{:.3f}", std::max(0.01, left_of(budget) * 0.9))}, {},
      {.budget = &budget});
  run.seconds = budget.elapsed() - begun;
  if (!ran.good()) run.why_not = "it " + core::end_text(ran);
  else if (!read_outcomes(ran.out, test, options.rounds, run)) run.why_not = "its answer is not understood";
  else if (run.runs == 0) run.why_not = "no round ended within the limits";
}

}  // namespace

bool TestRun::forbidden() const {
  return unjudged.empty() && std::ranges::any_of(outcomes, [](const Outcome& o) { return !o.allowed; });
}

std::uint64_t TestRun::beyond_sc() const {
  std::uint64_t count = 0;
  for (const Outcome& o : outcomes) count += o.by_sc ? 0 : o.count;
  return count;
}

std::uint64_t TestRun::satisfying() const {
  std::uint64_t count = 0;
  for (const Outcome& o : outcomes) count += o.satisfies ? o.count : 0;
  return count;
}

support::Result<std::string> compiler(const Options& options, const core::Budget& budget) {
  std::vector<std::string> candidates{options.compiler};
  if (options.compiler.empty()) candidates = {"cc", "clang", "gcc"};
  for (const std::string& name : candidates)
    if (core::run_program({name, "--version"}, {}, {.budget = &budget, .seconds = 20}).good()) return name;
  if (const auto over = budget.over()) return core::stopped_at("", over->text);
  return support::Diagnostic{"",
                             0,
                             0,
                             options.compiler.empty()
                                 ? std::string("there is no C compiler: tests are compiled for this machine by it")
                                 : fmt::format("the compiler '{}' cannot be run", options.compiler),
                             "",
                             "install cc or clang, or name another with --compiler"};
}

std::vector<TestRun> run_test(const litmus::Test& test, const Machine& machine, const std::string& compiler,
                              const Options& options, core::Budget& budget) {
  std::vector<TestRun> runs;
  const bool c = test.dialect == litmus::Dialect::C;
  const Notation* notation = machine.notation(test.dialect);
  if (!c && notation == nullptr) {
    TestRun& run = runs.emplace_back();
    run.why_not = fmt::format("it is for {}, and this machine is {}", litmus::dialect_name(test.dialect), machine.name);
    return runs;
  }
  const auto source = harness(test, notation);
  std::optional<Judge> judges[2];  // by Setting::pairs
  for (const Setting& setting : c ? machine.c : std::vector{notation->setting}) {
    TestRun& run = runs.emplace_back();
    run.setting = setting.name;
    run.model = setting.model;
    if (const auto over = budget.over()) run.why_not = over->text;
    else if (!source) run.why_not = source.error().message;
    else compile_and_run(*source, compiler, setting, test, options, budget, run);
    if (run.why_not.empty()) {
      auto& judge = judges[setting.pairs ? 1 : 0];
      if (!judge) judge.emplace(test, setting.pairs, budget);
      judge->judge(run);
    } else {
      run.cut_short |= budget.over().has_value();
    }
  }
  return runs;
}

}  // namespace heddle::hardware
