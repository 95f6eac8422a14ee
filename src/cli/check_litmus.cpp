// Litmus tests from the command line: files and whole folders, in parallel, printed in herd7's format or as a table.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <thread>

#include "axioms/cat.h"
#include "cli/checker.h"
#include "cli/commands.h"
#include "cli/reports.h"
#include "core/evidence.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/print.h"
#include "lang/litmus/run.h"
#include "report/drawing.h"

namespace heddle::cli {

namespace {

namespace litmus = lang::litmus;

bool given(const CheckRequest& request, std::string_view option) {
  return std::find(request.given.begin(), request.given.end(), option) != request.given.end();
}

// The model that a dialect's tests are made for.
const char* own_model(litmus::Dialect dialect) {
  switch (dialect) {
    case litmus::Dialect::C: return "rc11";
    case litmus::Dialect::X86:
    case litmus::Dialect::X86_64: return "tso";
    case litmus::Dialect::AArch64: return "armv8";
    case litmus::Dialect::PPC: return "power";
    case litmus::Dialect::RISCV: return "riscv";
  }
  return "sc";
}

struct Answer {
  std::string block;    // herd7's format
  std::string mistake;  // input error; nothing else is set then
  litmus::TableRow row;
  std::vector<core::Verdict> verdicts;
  std::vector<report::TestAnswer> tests;  // one a verdict
  std::vector<report::Drawing> drawings;
  bool fails = false, unknown = false, bounded = false;
};

core::Verdict verdict_of(const litmus::Test& test, const litmus::ModelResult& result, unsigned unroll) {
  core::Verdict v;
  v.model = result.model;
  v.notes.push_back("test " + test.name);
  v.statistics.engine = "candidates";
  v.statistics.executions = result.positive + result.negative;
  v.statistics.seconds = result.seconds;
  if (result.cut_off) v.bounds.push_back(fmt::format("loop {}", unroll));
  if (!result.refusal.empty() || result.condition_holds(test)) {
    // Runs that the bound cut off are seen, too.
    core::conclude(v, {.ended = result.refusal.empty(),
                       .stopped = result.refusal,
                       .seen = result.candidates + (result.cut_off ? 1 : 0),
                       .bounds = v.bounds});
  } else {
    v.outcome = core::Outcome::Unsafe;
    v.violation_kind = "condition";
    v.violation = fmt::format("{}: {} does not hold", test.name, test.condition.text);
  }
  return v;
}

report::TestAnswer answer_of(const std::string& file, const litmus::Test& test, const litmus::ModelResult& result) {
  report::TestAnswer answer;
  answer.file = file;
  answer.name = test.name;
  answer.condition = test.condition.text;
  if (!result.refusal.empty()) return answer;
  answer.observation = litmus::observation(result);
  const bool inverted = test.condition.quantifier == litmus::Quantifier::NotExists;
  answer.positive = inverted ? result.negative : result.positive;
  answer.negative = inverted ? result.positive : result.negative;
  for (const litmus::FinalValues& state : result.states) {
    report::TestAnswer::State& out = answer.states.emplace_back();
    out.executions = state.executions;
    out.satisfies = state.satisfies;
    for (std::size_t i = 0; i < test.shown.size(); ++i) {
      const litmus::Observed& o = test.observed[test.shown[i]];
      out.values.emplace_back(o.text, litmus::show_value(test, state.values[i], o.type));
    }
  }
  return answer;
}

report::Drawing drawing_of(const litmus::Test& test, const litmus::ModelResult& result) {
  const litmus::Witness& w = *result.witness;
  report::Drawing drawing;
  drawing.model = result.model;
  drawing.subject = test.name;
  drawing.execution = report::execution_picture(
      w.execution, *w.program, nullptr,
      fmt::format("{}: {} {}", test.name, w.allowed ? "allowed under" : "forbidden under", result.model));
  return drawing;
}

class LitmusRun {
 public:
  LitmusRun(const CheckRequest& request, core::Budget& budget, const axioms::CatModel* own)
      : request_(request), budget_(budget) {
    options_.unroll = request.loop_bound > 0 ? static_cast<unsigned>(request.loop_bound) : 2;
    options_.explain = request.explain;
    options_.witness = !request.dot.empty() || !request.svg.empty() || !request.html.empty();
    options_.spurious_cas = request.spurious_cas == "on";
    // Without a choice, a table shows every model and a log each dialect's own.
    if (own != nullptr && !given(request, "--model")) models_.push_back({own->name(), nullptr, own});
    else if (given(request, "--model") || request.table) {
      const std::vector<std::string>& names = request.models;
      if (given(request, "--model"))
        for (const std::string& name : names) models_.push_back({name, axioms::find_model(name), nullptr});
      else
        for (const axioms::Model& m : axioms::models()) models_.push_back({std::string(m.name), &m, nullptr});
      if (own != nullptr) models_.push_back({own->name(), nullptr, own});
    }
  }

  int run() {
    const std::size_t count = request_.files.size();
    answers_.resize(count);
    done_.assign(count, false);
    std::vector<std::jthread> workers;
    const std::size_t wanted = std::clamp<std::size_t>(request_.workers, 1, std::max<std::size_t>(count, 1));
    for (std::size_t w = 0; w < wanted; ++w) workers.emplace_back([this] { work(); });
    for (std::size_t i = 0; i < count; ++i) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [&] { return done_[i]; });
      lock.unlock();
      print(answers_[i]);
    }
    workers.clear();
    if (request_.table && !silent()) print_table();
    return finish();
  }

 private:
  bool silent() const { return request_.quiet || writes_standard_output(request_); }

  void work() {
    for (;;) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= request_.files.size()) return;
      Answer answer = judge(request_.files[i]);
      const std::lock_guard lock(mutex_);
      answers_[i] = std::move(answer);
      done_[i] = true;
      ready_.notify_all();
    }
  }

  Answer judge(const std::string& file) {
    Answer answer;
    const auto test = litmus::read_test(file, &budget_);
    if (!test) {
      answer.mistake = support::render(test.error());
      answer.unknown = test.error().limit;
      return answer;
    }
    std::vector<litmus::ModelChoice> models = models_;
    if (models.empty())
      models.push_back({own_model(test->dialect), axioms::find_model(own_model(test->dialect)), nullptr});
    const auto results = litmus::run_test(*test, models, options_, &budget_);
    answer.row.test = test->name;
    for (std::size_t m = 0; m < results.size(); ++m) {
      const litmus::ModelResult& result = results[m];
      const bool applies = litmus::not_applicable(test->dialect, models[m]).empty();
      answer.row.cells.push_back(litmus::table_cell(*test, result));
      if (request_.table && !applies) continue;
      if (!request_.table) answer.block += litmus::herd_block(*test, result, options_.unroll, models.size() > 1);
      answer.verdicts.push_back(verdict_of(*test, result, options_.unroll));
      answer.tests.push_back(answer_of(file, *test, result));
      if (result.witness) answer.drawings.push_back(drawing_of(*test, result));
      if (!request_.require.empty() &&
          std::find(request_.require.begin(), request_.require.end(), result.model) == request_.require.end())
        continue;
      answer.unknown |= !result.refusal.empty();
      answer.bounded |= result.cut_off;
      answer.fails |= result.refusal.empty() && !result.condition_holds(*test);
    }
    return answer;
  }

  void print(Answer& answer) {
    if (!answer.mistake.empty()) std::fputs(answer.mistake.c_str(), stderr);
    else if (!silent()) std::fputs(answer.block.c_str(), stdout);
    answer.block.clear();
  }

  void print_table() {
    std::vector<std::string> names;
    for (const litmus::ModelChoice& m : models_) names.push_back(m.name);
    std::vector<litmus::TableRow> rows;
    for (Answer& a : answers_)
      if (a.mistake.empty()) rows.push_back(a.row);
    std::fputs(litmus::table(names, rows).c_str(), stdout);
  }

  int finish() {
    report::Run run{request_.files, {}, {}};
    std::vector<report::Drawing> drawings;
    int code = exit_safe;
    for (const Answer& a : answers_) {
      drawings.insert(drawings.end(), a.drawings.begin(), a.drawings.end());
      run.verdicts.insert(run.verdicts.end(), a.verdicts.begin(), a.verdicts.end());
      run.tests.insert(run.tests.end(), a.tests.begin(), a.tests.end());
      if (a.unknown || (request_.strict && a.bounded)) code = std::max<int>(code, exit_unknown);
    }
    if (request_.strict && code == exit_safe)
      for (const Answer& a : answers_)
        if (a.fails) code = exit_unsafe;
    for (const Answer& a : answers_)
      if (!a.mistake.empty() && !a.unknown) code = exit_input_error;
    if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0) {
      std::fputs("heddle: error: the answers cannot be written to standard output\n", stderr);
      return exit_input_error;
    }
    if (const auto failed = write_reports(request_, run, drawings)) {
      std::fputs(support::render(*failed).c_str(), stderr);
      return exit_input_error;
    }
    return code;
  }

  const CheckRequest& request_;
  core::Budget& budget_;
  litmus::RunOptions options_;
  std::vector<litmus::ModelChoice> models_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<Answer> answers_;
  std::vector<char> done_;
};

}  // namespace

int run_litmus(const CheckRequest& request, core::Budget& budget) {
  std::optional<axioms::CatModel> own;
  if (!request.model_file.empty()) {
    auto model = axioms::CatModel::read(request.model_file, &budget);
    if (!model) {
      std::fputs(support::render(model.error()).c_str(), stderr);
      return model.error().limit ? exit_unknown : exit_input_error;
    }
    own = std::move(*model);
  }
  return LitmusRun(request, budget, own ? &*own : nullptr).run();
}

}  // namespace heddle::cli
