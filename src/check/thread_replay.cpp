// SPDX-License-Identifier: Apache-2.0
#include "check/thread_replay.h"

#include <algorithm>

#include <fmt/format.h>

#include "check/naive_threads.h"
#include "check/places.h"
#include "check/thread_run.h"

namespace heddle::check {
namespace {

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

std::string race_sentence(core::TraceStep& first, core::TraceStep& second, const Allocations& allocations) {
  std::string name = "an object";
  for (const core::TraceStep* step : {&second, &first})
    for (const core::Effect& e : step->effects)
      if (!e.location.empty() && e.kind != core::Effect::Kind::Output)
        name = told_location(e.loc, e.location, allocations);
  const std::string one = race_side(first, "first");
  return fmt::format("data race on {}: {}, {}, and nothing orders the two", name, one, race_side(second, "second"));
}

class ThreadReplayer {
 public:
  ThreadReplayer(const core::Program& program, ThreadModel model, unsigned bound, const core::MoveRun& run,
                 const core::Claim& claim)
      : program_(program), run_(run), told_(program, model, bound, result_.trace) {
    result_.claim = claim;
  }

  Replayed replay() {
    for (std::size_t i = 0; i < run_.moves.size(); ++i) {
      if (i == run_.loop_start) loop_key_ = state_.canonical_key();
      NaiveReport report;
      if (!told_.perform(run_.moves[i], report))
        return not_replayed(fmt::format("step {} of the trace is not possible", i + 1));
      if (result_.claim.is<core::Race>()) happens_before_.add(report.event);
      result_.spurious |= report.spurious;
    }
    failure_ = told_.failure();
    result_.addresses = told_.met_addresses();
    told_.name_threads();
    const core::Claim& claim = result_.claim;
    result_.confirmed = claim.is<core::Race>()       ? races()
                        : claim.is<core::Livelock>() ? goes_round()
                        : claim.is<core::Deadlock>() ? deadlocked()
                                                     : failed();
    return result_.confirmed ? std::move(result_) : not_replayed("the trace does not end where it should");
  }

 private:
  std::vector<core::TraceStep>& steps() { return result_.trace.steps; }

  bool races() {
    const auto race = happens_before_.race();
    if (!race) return false;
    result_.violation = race_sentence(steps()[race->first], steps()[race->second], state_.allocations());
    result_.place = shown_place(steps()[race->second]);
    return true;
  }

  bool assumption_failed() const {
    for (core::Tid t = 0; t < state_.threads.size(); ++t)
      if (!state_.ended() && state_.request(t).kind == core::Kind::Blocked) return true;
    return false;
  }

  // A loop that allocates comes back to an equal state with other names. An assumption that failed stays so.
  bool goes_round() {
    if (assumption_failed()) return false;
    result_.violation = "the program goes round for ever and cannot end any more";
    result_.trace.loop_start = run_.loop_start;
    return !failure_ && run_.loop_start < run_.moves.size() && state_.canonical_key() == loop_key_;
  }

  // A cycle of locks is there before the assumption of a thread outside it fails, too.
  bool deadlocked() {
    bool all_ended = true;
    for (core::Tid t = 0; t < state_.threads.size(); ++t) all_ended &= state_.has_ended(t);
    const bool all_wait = !assumption_failed() && stuck(state_);
    if (failure_ || state_.ended() || all_ended || !(all_wait || has_lock_cycle(state_))) return false;
    result_.violation = all_wait ? "no thread can go on" : "threads wait for each other's locks";
    for (core::Tid t = 0; t < state_.threads.size(); ++t) {
      const core::Request r = state_.request(t);
      if (r.kind == core::Kind::Ended || r.site == core::no_site || (!all_wait && !r.owned)) continue;
      tell_waiting(t, r);
    }
    return true;
  }

  void tell_waiting(core::Tid t, const core::Request& r) {
    const core::Local& local = state_.threads[t].local;
    Holder holder;
    if (const auto lock = told_.locks().find(r.loc); r.owned && lock != told_.locks().end())
      holder = {state_.thread_name(lock->second.first), lock->second.second};
    const bool joins = r.kind == core::Kind::Join && r.value.bits < state_.threads.size();
    result_.violation += fmt::format("; {} waits {}", state_.thread_name(t),
                                     waiting_place(program_, local, r.site, joins ? Holder{} : holder));
    if (joins)
      result_.violation += fmt::format(" for {} to end", state_.thread_name(static_cast<core::Tid>(r.value.bits)));
    result_.trace.stacks.push_back({state_.thread_name(t), program_.stack(local)});
    if (result_.place.line == 0) result_.place = own_place(program_, local);
  }

  bool failed() {
    // A thread can fail where it starts, before any move.
    if (!failure_)
      for (core::Tid t = 0; t < state_.threads.size(); ++t)
        if (state_.request(t).kind == core::Kind::Failed) failure_ = program_.failure(state_.threads[t].local);
    if (!failure_ || failure_->kind != word_of(result_.claim)) return false;
    result_.violation = failure_->message;
    if (failure_->site == core::no_site) return true;
    const core::SourcePlace place = program_.place(failure_->site);
    if (place.line != 0) result_.violation += fmt::format(" at {}:{}", place.file, place.line);
    result_.place = place;
    return true;
  }

  const core::Program& program_;
  const core::MoveRun& run_;
  Replayed result_;
  ThreadRun told_;
  NaiveThreads& state_ = told_.state();
  std::optional<core::Failure> failure_;
  NaiveRaces happens_before_;
  std::string loop_key_;
};

}  // namespace

Replayed replay(const core::Program& program, std::string_view model, unsigned buffer_bound, const core::MoveRun& run,
                const core::Claim& claim) {
  const auto naive = thread_model(model);
  if (!naive) return not_replayed(fmt::format("no naive machine for {}", model));
  Replayed result =
      ThreadReplayer(program, *naive, buffer_bound == 0 ? 0 : NaiveThreads::unbounded, run, claim).replay();
  result.trace.model = model;
  return result;
}

}  // namespace heddle::check
