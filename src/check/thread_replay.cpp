// SPDX-License-Identifier: Apache-2.0
#include "check/thread_replay.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "check/naive_threads.h"
#include "check/places.h"

namespace heddle::check {
namespace {

// Can anything at all happen? (Thread choices beyond 0 need no look: a Choose has a choice 0.)
bool stuck(const NaiveThreads& state) {
  for (core::Tid t = 0; t < state.threads.size(); ++t) {
    if (!state.flushable(t).empty()) return false;
    NaiveThreads copy = state;
    if (copy.step(t, 0)) return false;
  }
  return true;
}

// Does a chain of threads, each waiting for a lock that the next one holds, come back to where it began?
bool has_lock_cycle(const NaiveThreads& state) {
  for (core::Tid first = 0; first < state.threads.size(); ++first) {
    core::Tid t = first;
    for (std::size_t steps = 0; steps < state.threads.size(); ++steps) {
      const core::Request r = state.request(t);
      const auto holder = r.owned ? holder_of(state.read(r.loc).value) : std::nullopt;
      if (!holder || *holder >= state.threads.size()) break;
      if ((t = *holder) == first) return true;
    }
  }
  return false;
}

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

// Which thread locked a word last, and where.
using Locks = std::map<core::Loc, std::pair<core::Tid, core::SourcePlace>>;

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

// "main 0 writes it at f.c:3", and a remark at the step.
std::string race_side(core::TraceStep& step, const char* which) {
  using Kind = core::Effect::Kind;
  bool writes = step.action == "store" || step.action == "free", reads = false;
  for (const core::Effect& e : step.effects) {
    writes |= e.kind == Kind::Wrote || e.kind == Kind::Buffered;
    reads |= e.kind == Kind::ReadMemory || e.kind == Kind::ReadBuffer || e.kind == Kind::Deferred ||
             e.kind == Kind::Performed;
  }
  step.effects.push_back({Kind::Note, {}, fmt::format("the {} access of the race", which), {}, {}, {}});
  const char* verb = step.action == "free" ? "frees"
                     : writes && reads     ? "reads and writes"
                     : writes              ? "writes"
                                           : "reads";
  return fmt::format("{} {} it{}", step.thread, verb, where(step));
}

std::string race_sentence(core::TraceStep& first, core::TraceStep& second) {
  std::string name = "an object";
  for (const core::TraceStep* step : {&second, &first})
    for (const core::Effect& e : step->effects)
      if (!e.location.empty() && e.kind != core::Effect::Kind::Output) name = e.location;
  const std::string one = race_side(first, "first");
  return fmt::format("data race on {}: {}, {}, and nothing orders the two", name, one, race_side(second, "second"));
}

}  // namespace

ThreadReplay replay(const core::Program& program, const std::string& model, unsigned buffer_bound,
                    const std::vector<core::Move>& moves, const ThreadClaim& claim) {
  ThreadReplay result;
  result.trace.model = model;
  const auto naive = thread_model(model);
  if (!naive) {
    result.why = "no naive machine for " + model;
    return result;
  }
  constexpr unsigned unbounded = 1000000;
  NaiveThreads state(program, *naive, buffer_bound == 0 ? 0 : unbounded, true);
  std::optional<core::Failure> failure;
  NaiveRaces races;
  Locks locks;
  std::string loop_key;
  for (std::size_t i = 0; i < moves.size(); ++i) {
    if (claim.kind == ThreadClaim::Kind::Livelock && i == claim.loop_start) loop_key = state.canonical_key();
    const core::Move& move = moves[i];
    NaiveReport report;
    core::TraceStep shown;
    core::Request asked;
    if (move.thread < state.threads.size()) {
      shown.caller = own_place(program, state.threads[move.thread].local);
      asked = state.request(move.thread);
      if (asked.owned && move.kind == core::Move::Kind::Step)
        add_lock_note(program, state.threads[move.thread].local, shown.effects);
    }
    bool possible = !failure && move.thread < state.threads.size();
    if (possible && move.kind == core::Move::Kind::Flush) {
      const auto flushable = state.flushable(move.thread);
      possible = std::ranges::find(flushable, move.choice) != flushable.end();
      if (possible) state.flush(move.thread, move.choice, &report);
    } else if (possible) {
      possible = state.step(move.thread, move.choice, &report);
    }
    if (!possible) {
      result.why = fmt::format("step {} of the trace is not possible", i + 1);
      return result;
    }
    if (move.kind == core::Move::Kind::Step) note_lock(asked, move.thread, shown.caller, report, locks);
    failure = report.failure;
    if (failure) result.trace.stacks = std::move(report.stacks);
    shown.thread = state.thread_name(move.thread);
    shown.action = report.action;
    if (report.site != core::no_site) shown.place = program.place(report.site);
    if (report.flushes) shown.caller = result.trace.steps[*report.flushes].caller;
    if (!shown.place.library) shown.caller = {};
    shown.effects.insert(shown.effects.begin(), report.effects.begin(), report.effects.end());
    name_stores(shown, report, result.trace.steps);
    if (claim.kind == ThreadClaim::Kind::Race) races.add(report.event);
    shown.cost = report.cost;
    shown.move = move;
    result.trace.cost = result.trace.cost + report.cost;
    result.trace.steps.push_back(std::move(shown));
  }
  // A thread has its name once it runs a function of the program's own.
  auto child = static_cast<core::Tid>(program.initial_threads().size());
  for (core::TraceStep& step : result.trace.steps)
    if (step.action == "spawn" && child < state.threads.size())
      for (core::Effect& effect : step.effects)
        if (effect.kind == core::Effect::Kind::Note) effect.value = "starts " + state.thread_name(child++);
  if (claim.kind == ThreadClaim::Kind::Race) {
    const auto race = races.race();
    result.confirmed = race.has_value();
    result.kind = "race";
    if (race) {
      result.violation = race_sentence(result.trace.steps[race->first], result.trace.steps[race->second]);
      result.place = shown_place(result.trace.steps[race->second]);
    }
  } else if (claim.kind == ThreadClaim::Kind::Livelock) {
    // A loop that allocates comes back to an equal state with other names.
    result.confirmed = !failure && claim.loop_start < moves.size() && state.canonical_key() == loop_key;
    result.kind = "livelock";
    result.violation = "the program goes round for ever and cannot end any more";
    result.trace.loop_start = claim.loop_start;
  } else if (claim.kind == ThreadClaim::Kind::Deadlock) {
    const bool all_ended = [&] {
      for (core::Tid t = 0; t < state.threads.size(); ++t)
        if (!state.has_ended(t)) return false;
      return true;
    }();
    const bool all_wait = stuck(state);
    result.confirmed = !failure && !state.ended() && !all_ended && (all_wait || has_lock_cycle(state));
    result.kind = "deadlock";
    result.violation = all_wait ? "no thread can go on" : "threads wait for each other's locks";
    for (core::Tid t = 0; t < state.threads.size(); ++t) {
      const core::Request r = state.request(t);
      if (r.kind == core::Kind::Ended || r.site == core::no_site || (!all_wait && !r.owned)) continue;
      Holder holder;
      if (const auto lock = locks.find(r.loc); r.owned && lock != locks.end())
        holder = {state.thread_name(lock->second.first), lock->second.second};
      if (r.kind == core::Kind::Join && r.value.bits < state.threads.size())
        result.violation += fmt::format("; {} waits {} for {} to end", state.thread_name(t),
                                        waiting_place(program, state.threads[t].local, r.site),
                                        state.thread_name(static_cast<core::Tid>(r.value.bits)));
      else
        result.violation += fmt::format("; {} waits {}", state.thread_name(t),
                                        waiting_place(program, state.threads[t].local, r.site, holder));
      result.trace.stacks.push_back({state.thread_name(t), program.stack(state.threads[t].local)});
      if (result.place.line == 0) result.place = own_place(program, state.threads[t].local);
    }
  } else {
    // A thread can fail where it starts, before any move.
    if (!failure)
      for (core::Tid t = 0; t < state.threads.size(); ++t)
        if (state.request(t).kind == core::Kind::Failed) failure = program.failure(state.threads[t].local);
    result.confirmed = failure && failure->kind == claim.failure_kind;
    if (failure) {
      result.kind = failure->kind;
      result.violation = failure->message;
      if (failure->site != core::no_site) {
        const core::SourcePlace place = program.place(failure->site);
        if (place.line != 0) result.violation += fmt::format(" at {}:{}", place.file, place.line);
        result.place = place;
      }
    }
  }
  if (!result.confirmed) result.why = "the trace does not end where it should";
  return result;
}

}  // namespace heddle::check
