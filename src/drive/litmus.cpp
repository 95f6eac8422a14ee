// SPDX-License-Identifier: Apache-2.0
#include "drive/litmus.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "axioms/cat.h"
#include "axioms/models.h"
#include "core/evidence.h"
#include "drive/litmus_engines.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/print.h"
#include "lang/litmus/run.h"

namespace heddle::drive {

namespace {

namespace litmus = lang::litmus;

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

// Without an execution there is nothing that an answer could rest on.
void refuse_the_unseen(litmus::ModelResult& result) {
  if (result.refusal.none() && result.candidates == 0 && !result.cut_off)
    result.refusal = {core::Reason::Kind::Unsupported, "no execution comes to its end"};
}

core::Verdict verdict_of(const litmus::Test& test, const litmus::ModelResult& result, const LitmusEngine& engine,
                         unsigned unroll) {
  core::Verdict v;
  v.model = result.model;
  v.notes.push_back("test " + test.name);
  v.statistics.engine = engine.name;
  if (engine.counts_executions) v.statistics.executions = result.positive + result.negative;
  else v.statistics.states = result.candidates;
  v.statistics.seconds = result.seconds;
  if (result.misaligned) v.assumptions.emplace_back(litmus::misaligned_is_one);
  const std::vector<std::string> bounds =
      result.cut_off ? std::vector{fmt::format("loop {}", unroll)} : std::vector<std::string>{};
  if (!result.refusal.none() || result.condition_holds(test)) {
    core::Finding finding;
    finding.bounds = bounds;
    // Runs that the bound cut off are seen, too.
    std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
               core::conclude({.ended = result.refusal.none(),
                               .stopped = result.refusal.none() ? std::nullopt : std::optional(result.refusal),
                               .seen = result.candidates + (result.cut_off ? 1 : 0)}));
    core::pronounce(v, finding);
  } else {
    v.outcome = core::Outcome::Unsafe;
    v.bounds = bounds;
    v.violation_kind = core::word_of({core::FinalCondition{}});
    v.violation = fmt::format("{}: {} does not hold", test.name, test.condition.text);
  }
  return v;
}

report::TestAnswer answer_of(const std::string& file, const litmus::Test& test, const litmus::ModelResult& result) {
  report::TestAnswer answer;
  answer.file = file;
  answer.name = test.name;
  answer.condition = test.condition.text;
  if (!result.refusal.none()) return answer;
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

// The tests of a task, judged by several workers and handed out in order.
class Judges {
 public:
  Judges(const Task& task, bool table, core::Budget& budget, const LitmusEngine& engine, const axioms::CatModel* own)
      : task_(task), table_(table), budget_(budget), engine_(engine) {
    options_.unroll = *task.loop_bound > 0 ? static_cast<unsigned>(*task.loop_bound) : 2;
    options_.explain = *task.explain;
    options_.witness = task.drawings != nullptr;
    options_.spurious_cas = *task.spurious_cas == "on";
    // Without a choice, a table shows every model and a log each dialect's own.
    if (task.models.given) {
      for (const std::string& name : *task.models) models_.push_back({name, axioms::find_model(name), nullptr});
    } else if (table && own == nullptr) {
      for (const axioms::Model& m : axioms::models()) models_.push_back({std::string(m.name), &m, nullptr});
    }
    if (own != nullptr) models_.push_back({own->name(), nullptr, own});
  }

  LitmusRun run(const std::function<void(const LitmusAnswer&)>& ready) {
    const std::size_t count = task_.files.size();
    LitmusRun result;
    result.answers.resize(count);
    done_.assign(count, false);
    std::vector<std::jthread> workers;
    const std::size_t wanted = std::clamp<std::size_t>(*task_.workers, 1, std::max<std::size_t>(count, 1));
    for (std::size_t w = 0; w < wanted; ++w) workers.emplace_back([&] { work(result.answers); });
    for (std::size_t i = 0; i < count; ++i) {
      std::unique_lock lock(mutex_);
      ready_.wait(lock, [&] { return done_[i]; });
      lock.unlock();
      ready(result.answers[i]);
      result.answers[i].block.clear();
    }
    workers.clear();
    for (const litmus::ModelChoice& m : models_) result.models.push_back(m.name);
    return result;
  }

 private:
  void work(std::vector<LitmusAnswer>& answers) {
    for (;;) {
      const std::size_t i = next_.fetch_add(1);
      if (i >= task_.files.size()) return;
      LitmusAnswer answer = judge(task_.files[i]);
      const std::lock_guard lock(mutex_);
      answers[i] = std::move(answer);
      done_[i] = true;
      ready_.notify_all();
    }
  }

  LitmusAnswer judge(const std::string& file) {
    LitmusAnswer answer;
    const auto test = litmus::read_test(file, &budget_);
    if (!test) {
      answer.mistake = support::render(test.error());
      answer.unknown = test.error().limit;
      return answer;
    }
    std::vector<litmus::ModelChoice> models = models_;
    if (models.empty())
      models.push_back({own_model(test->dialect), axioms::find_model(own_model(test->dialect)), nullptr});
    auto results = engine_.run(*test, models, options_, &budget_);
    std::ranges::for_each(results, refuse_the_unseen);
    answer.row.test = test->name;
    // A table of tests for several machines has models that say nothing of some tests; of each test one must say something.
    const auto applies = [&](const litmus::ModelChoice& m) { return litmus::not_applicable(test->dialect, m).empty(); };
    const bool skips = table_ && std::ranges::any_of(models, applies);
    for (std::size_t m = 0; m < results.size(); ++m) {
      const litmus::ModelResult& result = results[m];
      answer.row.cells.push_back(litmus::table_cell(*test, result));
      if (skips && !applies(models[m])) continue;
      if (!table_) answer.block += litmus::herd_block(*test, result, options_.unroll, models.size() > 1);
      answer.verdicts.push_back(verdict_of(*test, result, engine_, options_.unroll));
      answer.tests.push_back(answer_of(file, *test, result));
      if (result.witness) answer.drawings.push_back(drawing_of(*test, result));
    }
    return answer;
  }

  const Task& task_;
  bool table_;
  core::Budget& budget_;
  const LitmusEngine& engine_;
  litmus::RunOptions options_;
  std::vector<litmus::ModelChoice> models_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::condition_variable ready_;
  std::vector<char> done_;
};

// The first option that the user gave and the engine cannot follow; null if there is none.
const char* not_honoured(const LitmusEngine& engine, const Task& task) {
  if (!engine.explains && *task.explain) return "--explain";
  if (!engine.explains && task.drawings != nullptr) return "drawings";
  if (!engine.own_models && !task.model_file->empty()) return "--model-file";
  if (!engine.unrolls && task.loop_bound.given) return "--loop-bound";
  return nullptr;
}

}  // namespace

support::Result<LitmusRun> run_litmus(const Task& task, bool table, core::Budget& budget,
                                      const std::function<void(const LitmusAnswer&)>& ready) {
  const std::span<const LitmusEngine> table_of_engines = litmus_engines();
  const auto chosen = std::ranges::find(table_of_engines, std::string_view(*task.engine), &LitmusEngine::name);
  const LitmusEngine& engine = chosen != table_of_engines.end() ? *chosen : table_of_engines.front();
  if (const char* option = not_honoured(engine, task))
    return support::Diagnostic{
        task.files.front(),  0, 0, fmt::format("--engine {} does not have {}", engine.name, option), "",
        "leave out --engine"};
  std::optional<axioms::CatModel> own;
  if (!task.model_file->empty()) {
    auto model = axioms::CatModel::read(*task.model_file, &budget);
    if (!model) return model.error();
    own = std::move(*model);
  }
  return Judges(task, table, budget, engine, own ? &*own : nullptr).run(ready);
}

int exit_code(const Task& task, const LitmusRun& run) {
  std::vector<core::Verdict> counted;
  bool mistaken = false, stopped = false;
  for (const LitmusAnswer& answer : run.answers) {
    mistaken |= !answer.mistake.empty() && !answer.unknown;
    stopped |= answer.unknown;
    counted.insert(counted.end(), answer.verdicts.begin(), answer.verdicts.end());
  }
  if (mistaken) return exit_input_error;
  // A condition that does not hold is an answer like any other, but for --strict.
  const int code = exit_code(task, counted, *task.strict);
  return code == exit_safe && stopped ? static_cast<int>(exit_unknown) : code;
}

}  // namespace heddle::drive
