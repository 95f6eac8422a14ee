// SPDX-License-Identifier: Apache-2.0
#include "check/thread_lasso.h"

#include <fmt/format.h>

#include <algorithm>

#include "check/lasso_semantics.h"
#include "check/thread_run.h"

namespace heddle::check {
namespace {

class Reader final : public core::StateReader {
 public:
  explicit Reader(const NaiveThreads& state) : state_(state) {}
  core::Answer read(const core::Loc& loc) const override { return state_.read(loc); }
  std::size_t threads() const override { return state_.ended() ? 0 : state_.threads.size(); }
  core::ConstLocal local(core::Tid t) const override { return state_.threads[t].local; }

 private:
  const NaiveThreads& state_;
};

// Can the thread make its next request and go through to the end of the atomic section that it is in then, if it is?
bool completes_step(const NaiveThreads& state, core::Tid t) {
  const core::Request r = state.request(t);
  const std::uint64_t choices = r.kind == core::Kind::Choose ? r.value.bits : 1;
  for (std::uint64_t c = 0; c < choices; ++c) {
    NaiveThreads copy = state;
    if (copy.step(t, static_cast<std::uint32_t>(c)) && (copy.inside() != t || completes_step(copy, t))) return true;
  }
  return false;
}

bool ends(const NaiveThreads& state) {
  if (state.ended()) return true;
  for (core::Tid t = 0; t < state.threads.size(); ++t)
    if (!state.flushable(t).empty() || completes_step(state, t)) return false;
  return true;
}

// The entries of each thread's buffer, by the steps that issued them.
std::vector<std::vector<std::size_t>> entries(const NaiveThreads& state) {
  std::vector<std::vector<std::size_t>> made;
  for (const NaiveThread& thread : state.threads) {
    made.emplace_back();
    for (const NaiveEntry& e : thread.buffer) made.back().push_back(e.made);
  }
  return made;
}

class ThreadLassoRun {
 public:
  ThreadLassoRun(const core::Program& program, const core::Conditions& conditions, ThreadModel model, unsigned bound,
                 ReplayedLasso& result)
      : conditions_(conditions), result_(result), told_(program, model, bound, result.trace), state_(told_.state()) {}

  void lasso(const core::MoveRun& run, const LassoClaim& claim) {
    const std::size_t loop = std::min(run.loop_start, run.moves.size());
    std::size_t first_letter = 0;
    std::string key;
    for (std::size_t i = 0; i < run.moves.size(); ++i) {
      if (i == loop) {
        first_letter = letters_.size();
        key = state_.canonical_key();
        waiting_ = entries(state_);
        passed_over_.assign(state_.threads.size(), claim.process_fairness);
      }
      if (!place(claim, i >= loop) || !step(run.moves[i])) return;
      if (i >= loop && run.moves[i].kind == core::Move::Kind::Step && run.moves[i].thread < passed_over_.size())
        passed_over_[run.moves[i].thread] = false;
    }
    told_.name_threads();
    if (loop == run.moves.size()) {
      first_letter = letters_.size();
      if (!place(claim, false)) return;
      if (!ends(state_)) return fail("the run does not end where it should");
    } else {
      result_.trace.loop_start = loop;
      if (state_.inside() || state_.canonical_key() != key) return fail("the loop does not close");
      if (!fair(claim)) return;
    }
    if (claim.formula != nullptr ? holds_on_lasso(*claim.formula, letters_, first_letter)
                                 : !accepts_lasso(*claim.violations, letters_, first_letter))
      return fail(claim.formula != nullptr ? "the formula holds on the run" : "the automaton does not accept the run");
    result_.confirmed = true;
  }

  void no_value(const core::MoveRun& run, std::uint32_t condition) {
    for (const core::Move& move : run.moves)
      if (!step(move)) return;
    told_.name_threads();
    result_.confirmed = conditions_.evaluate(condition, Reader(state_)) == core::Truth::NoValue;
    if (!result_.confirmed) fail("the condition has a value");
  }

 private:
  void fail(std::string why) { result_.why = std::move(why); }

  bool step(const core::Move& move) {
    NaiveReport report;
    const bool made = told_.perform(move, report);
    result_.addresses = told_.met_addresses();
    // A program that ends with a leak has ended.
    if (made && (!told_.failure() || state_.ended())) return true;
    fail(fmt::format("step {} of the run is not possible", result_.trace.steps.size() + (made ? 0 : 1)));
    return false;
  }

  // A state of the run: its letter, and in the loop who could move.
  bool place(const LassoClaim& claim, bool in_loop) {
    if (state_.inside()) return true;
    letters_.emplace_back();
    for (const std::uint32_t p : claim.propositions) {
      const core::Truth truth = conditions_.evaluate(p, Reader(state_));
      if (truth == core::Truth::NoValue) {
        fail("a condition has no value on the run");
        return false;
      }
      letters_.back().push_back(truth == core::Truth::True);
    }
    for (core::Tid t = 0; t < state_.threads.size(); ++t)
      if (!state_.ended() && state_.request(t).kind == core::Kind::Blocked) {
        fail("an assumption fails on the run");
        return false;
      }
    for (core::Tid t = 0; in_loop && t < passed_over_.size(); ++t)
      passed_over_[t] = passed_over_[t] && completes_step(state_, t);
    return true;
  }

  // An entry that is in the same position of its buffer after the loop stays there for ever: entries only move forward,
  // and every round moves the entry in a position to the same other one.
  bool fair(const LassoClaim& claim) {
    const auto now = entries(state_);
    for (core::Tid t = 0; claim.memory_fairness && t < waiting_.size(); ++t)
      for (std::size_t k = 0; k < std::min(waiting_[t].size(), now[t].size()); ++k)
        if (waiting_[t][k] == now[t][k]) {
          fail(fmt::format("the run is not fair: an access of {} is delayed for ever", state_.thread_name(t)));
          return false;
        }
    for (core::Tid t = 0; t < passed_over_.size(); ++t)
      if (passed_over_[t]) {
        fail(fmt::format("the run is not fair: {} is passed over for ever", state_.thread_name(t)));
        return false;
      }
    return true;
  }

  const core::Conditions& conditions_;
  ReplayedLasso& result_;
  ThreadRun told_;
  NaiveThreads& state_;
  std::vector<std::vector<bool>> letters_;
  std::vector<std::vector<std::size_t>> waiting_;  // in the buffers, at the beginning of the loop
  std::vector<bool> passed_over_;                  // so far in the loop: enabled, and made no step
};

template <class Check>
ReplayedLasso on_naive_machine(const core::Program& program, const core::Conditions& conditions, std::string_view model,
                               unsigned buffer_bound, const Check& check) {
  ReplayedLasso result;
  result.trace.model = model;
  const auto naive = thread_model(model);
  if (!naive) {
    result.why = fmt::format("no naive machine for {}", model);
    return result;
  }
  ThreadLassoRun run(program, conditions, *naive, buffer_bound == 0 ? 0 : NaiveThreads::unbounded, result);
  check(run);
  return result;
}

}  // namespace

ReplayedLasso replay_lasso(const core::Program& program, const core::Conditions& conditions, std::string_view model,
                           unsigned buffer_bound, const core::MoveRun& run, const LassoClaim& claim) {
  return on_naive_machine(program, conditions, model, buffer_bound, [&](ThreadLassoRun& r) { r.lasso(run, claim); });
}

ReplayedLasso replay_no_value(const core::Program& program, const core::Conditions& conditions, std::string_view model,
                              unsigned buffer_bound, const core::MoveRun& run, std::uint32_t condition) {
  return on_naive_machine(program, conditions, model, buffer_bound,
                          [&](ThreadLassoRun& r) { r.no_value(run, condition); });
}

}  // namespace heddle::check
