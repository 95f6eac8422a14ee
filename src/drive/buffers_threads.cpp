// SPDX-License-Identifier: Apache-2.0
#include "drive/buffers_threads.h"

#include <algorithm>

#include <fmt/format.h>

#include "buffers/threads.h"
#include "check/buffer_certificate.h"
#include "check/naive_threads.h"
#include "check/thread_replay.h"
#include "core/evidence.h"
#include "drive/buffers_engine.h"
#include "drive/referee.h"
#include "ir/unfold_text.h"

namespace heddle::drive {

namespace {

constexpr unsigned unbounded = 1'000'000;

// Moves of the unfolded program as requests and flushes of threads, on the naive machine. There a thread's own objects
// are buffered, too: their stores leave when they stand in the way.
class Requests {
 public:
  Requests(const core::Program& program, const ir::Unfolding::Unfolded& unfolded, check::ThreadModel model)
      : unfolded_(unfolded), globals_(program.globals().size()), machine_(program, model, unbounded) {}

  // Nothing: the machine does not follow.
  std::optional<std::vector<core::Move>> of(const std::vector<core::Move>& run) {
    for (std::uint32_t t = 0; t < machine_.threads.size(); ++t)
      if (!steps(t, unfolded_.first_choices[t])) return std::nullopt;
    buffered_.resize(unfolded_.program.processes.size());
    for (const core::Move& move : run)
      if (move.kind == core::Move::Kind::Step ? !step(move.thread, move.choice) : !flush(move.thread, move.choice))
        return std::nullopt;
    for (std::uint32_t t = 0; t < machine_.threads.size(); ++t) flush_own(t);
    return moves_;
  }

 private:
  bool is_own(const check::NaiveEntry& entry) const { return entry.loc.object > globals_; }

  // Flushes what can be flushed of the thread's own objects.
  void flush_own(std::uint32_t t) {
    for (bool any = true; any;) {
      any = false;
      for (const unsigned index : machine_.flushable(t)) {
        if (!is_own(machine_.threads[t].buffer[index])) continue;
        any = true;
        perform(t, index);
        break;
      }
    }
  }
  void perform(std::uint32_t t, unsigned index) {
    machine_.flush(t, index);
    moves_.push_back({core::Move::Kind::Flush, t, index});
  }

  bool steps(std::uint32_t t, const std::vector<std::uint32_t>& choices) {
    if (choices.empty()) {  // a process that begins or ends
      if (t < machine_.threads.size()) flush_own(t);
      return true;
    }
    for (const std::uint32_t choice : choices) {
      if (t >= machine_.threads.size()) return false;
      if (!machine_.step(t, choice)) {
        flush_own(t);
        if (!machine_.step(t, choice)) return false;
      }
      moves_.push_back({core::Move::Kind::Step, t, choice});
    }
    return true;
  }

  bool step(std::uint32_t t, std::uint32_t number) {
    const ir::Program& program = unfolded_.program;
    for (const ir::Assignment& a : program.edge(t, number).effects)
      if (program.variables[a.var].in_memory() && !a.atomic) buffered_[t].push_back(a.var);
    return steps(t, unfolded_.choices[t][number]);
  }

  // A mark is no entry of the naive machine.
  bool flush(std::uint32_t t, unsigned entry) {
    flush_own(t);
    const auto at = buffered_[t].begin() + entry;
    const bool mark = *at == unfolded_.program.mark;
    auto number = entry - static_cast<unsigned>(std::count(buffered_[t].begin(), at, unfolded_.program.mark));
    buffered_[t].erase(at);
    if (mark) return true;
    const auto& buffer = machine_.threads[t].buffer;
    for (unsigned index = 0; index < buffer.size(); ++index)
      if (!is_own(buffer[index]) && number-- == 0) {
        perform(t, index);
        return true;
      }
    return false;
  }

  const ir::Unfolding::Unfolded& unfolded_;
  const std::size_t globals_;
  check::NaiveThreads machine_;
  std::vector<std::vector<std::uint32_t>> buffered_;  // by process: the variables whose stores wait, oldest first
  std::vector<core::Move> moves_;
};

buffers::Question question_about(const core::Properties& asked, ir::StoreOrder order) {
  buffers::Question question;
  question.order = order;
  question.deadlocks = asked.has<core::Deadlock>();
  return question;
}

// A run that shows what the answer says: a shortest one where explicit states find it soon.
core::Finding run_to(const buffers::ThreadsAnswer& found, const Subject& subject, const models::Model& model,
                     const Task& task, core::Budget& budget) {
  const core::Program& program = subject.program(model);
  const core::Claim claim = found.answer.deadlock ? core::Claim{core::Deadlock{}} : core::Claim{core::Assertion{}};
  std::optional<std::vector<core::Move>> run;
  if (!found.answer.run.empty())
    run = Requests(program, found.program, *check::thread_model(model.name)).of(found.answer.run);
  if (run && !check::replay(program, model.name, unbounded, core::MoveRun{*run}, claim).confirmed) run.reset();
  return shown_run(run, claim, subject, model, task, budget);
}

// Certified by check/, with automata of its own; the text of the certificate. Otherwise `answer` says why not.
std::string certified(const ir::Unfolding& threads, buffers::Answer& answer, const core::Properties& asked,
                      core::Budget& budget) {
  const ir::Program closed = threads.unfolded(true).program;
  const auto checked = check::check_buffer_sets(closed, answer.proof, claim_of(asked), budget);
  if (checked.stopped) answer.stopped = checked.stopped;
  else if (!checked.verified) answer.stopped = core::internal_error("the proof is not certified: " + checked.why);
  if (answer.stopped) return {};
  return ir::threads_certificate(threads, answer.proof.order, ir::certificate_text(closed, answer.proof));
}

}  // namespace

std::optional<core::Reason> buffers_refuses_threads(const Subject& subject, const Task& task) {
  for (const core::Property& property : subject.properties.list) {
    const core::Race* race = std::get_if<core::Race>(&property);
    if (!std::holds_alternative<core::Assertion>(property) && !std::holds_alternative<core::Deadlock>(property) &&
        !std::holds_alternative<core::Leak>(property) && !std::holds_alternative<core::Overflow>(property) &&
        (race == nullptr || !race->language_only))
      return refusal(fmt::format("does not look for '{}' in programs of this language", core::word_of({property})));
  }
  if (task.order.given && *task.order != "saturate")
    return refusal(fmt::format("does not have --search {} for programs of this language", *task.order));
  if (task.loop_bound.given) return refusal("does not have --loop-bound");
  if (*task.spurious_cas == "on") return refusal("does not have --spurious-cas on");
  return std::nullopt;
}

core::Finding run_buffers_threads(const Subject& subject, const models::Model& model, ir::StoreOrder order,
                                  const Task& task, core::Budget& budget) {
  const double begun = budget.elapsed();
  ir::Unfolding threads(subject.program(model), order);
  buffers::ThreadsAnswer found = buffers::decide(threads, question_about(subject.properties, order), budget);
  buffers::Answer& answer = found.answer;
  core::Finding finding;
  if (answer.kind == buffers::Answer::Kind::Holds && subject.properties.has<core::Deadlock>() &&
      threads.has_lock_cycle(answer.proof)) {
    answer.kind = buffers::Answer::Kind::Violated;
    answer.deadlock = true;
  }
  if (answer.kind == buffers::Answer::Kind::Violated) {
    finding = run_to(found, subject, model, task, budget);
  } else {
    if (answer.kind == buffers::Answer::Kind::Holds)
      finding.certificate = certified(threads, answer, subject.properties, budget);
    core::Drops drops(budget.probe);
    drops.stopped(core::DropPlace::SearchLimit, answer.stopped);
    std::visit(
        [&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
        core::conclude({.drops = &drops, .ended = !answer.stopped, .stopped = answer.stopped, .seen = answer.stored}));
    if (!answer.stopped && answer.window != 0) finding.notes.push_back(approximate_proof(answer));
  }
  if (threads.met_weak_cas()) finding.assumptions.emplace_back(core::weak_cas_succeeds);
  finding.statistics.states = answer.stored;
  finding.statistics.transitions = answer.expanded;
  finding.statistics.seconds = budget.elapsed() - begun;
  finding.statistics.more.emplace_back("local states", std::to_string(threads.local_states()));
  finding.statistics.more.emplace_back("automata", std::to_string(answer.automata));
  finding.statistics.more.emplace_back("largest automaton", std::to_string(answer.largest));
  return finding;
}

support::Result<std::vector<core::Verdict>> recheck_threads(Subject& subject, const Task& task, const std::string& text,
                                                            core::Budget& budget) {
  const std::string& file = *task.check_certificate;
  const auto wrong = [&](std::string message, std::string help) {
    return support::Diagnostic{file, 0, 0, std::move(message), "", std::move(help)};
  };
  const auto saved = ir::parse_threads_certificate(text, file);
  if (!saved) return saved.error();
  const models::Model& model = *models::find(model_of(saved->order));
  if (const auto refused = buffers_refuses_threads(subject, task))
    return wrong("no certificate of this kind is about this question: the buffers engine " + refused->text, "");
  if (task.models.given && std::ranges::find(*task.models, model.name) == task.models->end())
    return wrong(fmt::format("this certificate is about {}", model.name),
                 "a proof about one model is none about another");
  if (const auto program = subject.threads()->prepare(model); !program) return program.error();
  const double begun = budget.elapsed();
  ir::Unfolding threads(subject.program(model), saved->order);
  for (const ir::Unfolding::Question& answer : saved->answers)
    if (!threads.answer(answer)) return wrong("this certificate is about another program", "");
  const ir::Program closed = threads.unfolded(true).program;
  const auto sets = ir::parse_certificate(closed, saved->states, file);
  if (!sets) return sets.error();
  if (sets->order != saved->order) return wrong("this certificate is about two orders of stores", "");
  core::Verdict verdict;
  verdict.model = model.name;
  const auto checked = check::check_buffer_sets(closed, *sets, claim_of(subject.properties), budget);
  std::optional<core::Reason> why = checked.stopped;
  if (!checked.verified && !why)
    why = core::Reason{core::Reason::Kind::Open, "the certificate does not hold: " + checked.why};
  if (!why && subject.properties.has<core::Deadlock>() && threads.has_lock_cycle(*sets))
    why = core::Reason{core::Reason::Kind::Open,
                       "the certificate does not hold: threads wait for each other's locks in one of its states"};
  core::Finding finding;
  finding.statistics.states = sets->states.size();
  finding.statistics.seconds = budget.elapsed() - begun;
  std::visit([&](auto&& what) { finding.what = std::forward<decltype(what)>(what); },
             core::conclude({.ended = !why, .stopped = why, .seen = sets->states.size()}));
  verdict.statistics = finding.statistics;
  verdict.statistics.engine = "certificate";
  if (threads.met_weak_cas()) verdict.assumptions.emplace_back(core::weak_cas_succeeds);
  core::pronounce(verdict, finding);
  add_conditions(subject.program(model), verdict);
  return std::vector<core::Verdict>{verdict};
}

}  // namespace heddle::drive
