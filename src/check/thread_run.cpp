// SPDX-License-Identifier: Apache-2.0
#include "check/thread_run.h"

#include <algorithm>

#include "check/places.h"

namespace heddle::check {
namespace {

using Locks = ThreadRun::Locks;

// Says of every value that is read who stored it, and of every store that reaches memory where it was made.
void name_stores(core::TraceStep& step, const NaiveReport& report, const std::vector<core::TraceStep>& earlier) {
  using Kind = core::Effect::Kind;
  std::optional<std::size_t> writer = report.flushes;
  for (const std::size_t from : report.event.from)
    if (from < earlier.size()) writer = from;  // of several stores that were read in parts, the last
  if (!writer) return;
  for (core::Effect& effect : step.effects) {
    if (effect.kind == Kind::Flushed) effect.from = shown_place(earlier[*writer]);
    if (effect.kind != Kind::ReadMemory && effect.kind != Kind::ReadBuffer && effect.kind != Kind::Performed) continue;
    effect.from = shown_place(earlier[*writer]);
    effect.by = earlier[*writer].thread;
  }
}

void note_lock(const core::Request& asked, core::Tid thread, const core::SourcePlace& place, const NaiveReport& report,
               Locks& locks) {
  using Kind = core::Effect::Kind;
  if (asked.kind != core::Kind::Rmw && asked.kind != core::Kind::Store) return;
  const bool writes = std::ranges::any_of(
      report.effects, [](const core::Effect& e) { return e.kind == Kind::Wrote || e.kind == Kind::Buffered; });
  if (!writes) return;
  if (asked.value.bits == 0) locks.erase(asked.loc);
  else if (asked.kind == core::Kind::Rmw) locks[asked.loc] = {thread, place};
}

}  // namespace

bool stuck(const NaiveThreads& state) {
  for (core::Tid t = 0; t < state.threads.size(); ++t) {
    if (!state.flushable(t).empty()) return false;
    NaiveThreads copy = state;
    if (copy.step(t, 0)) return false;  // choices beyond 0 need no look: a Choose has a choice 0
  }
  return true;
}

bool ThreadRun::perform(const core::Move& move, NaiveReport& report) {
  if (failure_ || move.thread >= state_.threads.size()) return false;
  core::TraceStep shown;
  shown.caller = own_place(program_, state_.threads[move.thread].local);
  const core::Request asked = state_.request(move.thread);
  if (move.kind == core::Move::Kind::Flush) {
    const auto flushable = state_.flushable(move.thread);
    if (std::ranges::find(flushable, move.choice) == flushable.end()) return false;
    state_.flush(move.thread, move.choice, &report);
  } else {
    exceptions_.note(program_, move.thread, state_.threads[move.thread].local, shown.effects);
    const bool in_vain = asked.waits && move.choice == 1;
    if (asked.owned) add_lock_note(program_, state_.threads[move.thread].local, shown.effects, in_vain);
    if (!state_.step(move.thread, move.choice, &report)) return false;
    note_lock(asked, move.thread, shown.caller, report, locks_);
  }
  for (const auto& thread : state_.threads) met_addresses_ |= program_.names_matter(thread.local);
  failure_ = report.failure;
  if (failure_) trace_.stacks = report.stacks;
  shown.thread = state_.thread_name(move.thread);
  shown.action = report.action;
  if (report.site != core::no_site) shown.place = program_.place(report.site);
  if (report.flushes) shown.caller = trace_.steps[*report.flushes].caller;
  if (!shown.place.library) shown.caller = {};
  shown.effects.insert(shown.effects.begin(), report.effects.begin(), report.effects.end());
  name_stores(shown, report, trace_.steps);
  shown.cost = report.cost;
  shown.move = move;
  trace_.cost = trace_.cost + report.cost;
  trace_.steps.push_back(std::move(shown));
  return true;
}

// A thread has its name once it runs a function of the program's own.
void ThreadRun::name_threads() {
  auto child = static_cast<core::Tid>(program_.initial_threads().size());
  for (core::TraceStep& step : trace_.steps)
    if (step.action == "spawn" && child < state_.threads.size())
      for (core::Effect& effect : step.effects)
        if (effect.kind == core::Effect::Kind::Note) effect.value = "starts " + state_.thread_name(child++);
}

}  // namespace heddle::check
