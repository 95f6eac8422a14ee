// Least relaxed first: states are settled in the order of (relaxation cost, length) of the best path to them, as in
// Dijkstra's algorithm, so the first forbidden thing that is settled has a least-relaxed trace. One worker: the search
// is run to explain a violation, not to find one.
// SPDX-License-Identifier: Apache-2.0
#include <map>
#include <tuple>

#include "explore/pace.h"
#include "explore/searches.h"

namespace heddle::explore {
namespace {

using support::StateNumber;

struct Label {
  core::Cost cost;
  std::uint64_t length = 0;
  friend auto operator<=>(const Label&, const Label&) = default;
};

class LeastCost final : public core::SuccessorSink {
 public:
  LeastCost(const core::TransitionSystem& system, const SearchOptions& options, core::Budget& budget)
      : system_(system),
        options_(options),
        budget_(budget),
        store_({.fixed_length = system.fixed_length(), .flag_bits = 0, .first_half = system.first_half()}),
        scratch_(system.make_scratch()),
        cursor_(store_.make_cursor(0)) {
    long_step_.watch([this] {
      stopped_ = budget_.spent({.states = store_.size(), .depth = now_.length});
      return stopped_.has_value();
    });
  }

  SearchResult run() {
    const auto initial = system_.initial(*scratch_);
    reach(store_.insert(cursor_, initial, support::no_state, 0).number, {}, support::no_state);
    std::uint64_t steps = 0;
    Pace pace;
    while (!queue_.empty()) {
      auto bucket = queue_.begin();
      if (candidate_ && candidate_label_ <= bucket->first) break;
      now_ = bucket->first;
      const StateNumber state = bucket->second.back();
      bucket->second.pop_back();
      if (bucket->second.empty()) queue_.erase(bucket);
      if (known_[state].settled || known_[state].label != now_) continue;
      known_[state].settled = true;
      current_ = state;
      store_.load(cursor_, state);
      if (look()) break;
      emitted_ = 0;
      system_.successors(cursor_.slots(), core::Reduction::None, *scratch_, *this);
      if (emitted_ == 0 && !stopped_ && options_.deadlocks && !system_.proper_end(cursor_.slots(), *scratch_)) {
        propose({Found::Kind::Deadlock, 0, state, std::nullopt}, now_);
      }
      if (stopped_) break;
      if (++steps % 256 == 0 || pace.due() || has_all_states(budget_, [this] { return store_.size(); })) {
        stopped_ = budget_.spent({.states = store_.size(), .depth = now_.length});
        if (stopped_) break;
      }
    }
    return result();
  }

  bool enough() const override { return long_step_.over(); }

  void withheld(std::uint32_t) override { ++emitted_; }  // no deadlock
  void successor(const core::Successor& s) override {
    ++emitted_;
    const Label label{now_.cost + s.cost, now_.length + 1};
    if (s.error != 0) {
      if (options_.errors) propose({Found::Kind::StepError, s.error, current_, s.move}, label);
      return;
    }
    ++transitions_;
    reach(store_.insert(cursor_, s.state, support::no_state, 0).number, label, current_);
  }

 private:
  struct Known {
    Label label;
    StateNumber parent = support::no_state;
    bool reached = false;
    bool settled = false;
  };

  void reach(StateNumber state, const Label& label, StateNumber parent) {
    if (known_.size() <= state) known_.resize(std::max<std::size_t>(state + 1, known_.size() * 3 / 2));
    Known& k = known_[state];
    if (k.reached && k.label <= label) return;
    k = {label, parent, true, false};
    queue_[label].push_back(state);
  }

  void propose(const Sighting& sighting, const Label& label) {
    if (candidate_ && candidate_label_ <= label) return;
    candidate_ = sighting;
    candidate_label_ = label;
  }

  bool look() {
    if (options_.errors && system_.has_state_errors())
      if (const auto error = system_.state_error(cursor_.slots(), *scratch_); error != 0) {
        propose({Found::Kind::StateError, error, current_, std::nullopt}, now_);
        return true;
      }
    for (std::uint32_t i = 0; i < options_.goals.size(); ++i) {
      std::uint32_t error = 0;
      const bool holds = system_.holds(options_.goals[i].proposition, cursor_.slots(), *scratch_, error);
      if (error == 0 && holds != options_.goals[i].forbidden_when) continue;
      propose({error != 0 ? Found::Kind::GoalError : Found::Kind::Goal, i, current_, std::nullopt}, now_);
      return true;
    }
    return false;
  }

  SearchResult result() {
    SearchResult r;
    r.states = store_.size();
    r.transitions = transitions_;
    r.bytes = store_.bytes() + system_.bytes() + known_.size() * sizeof(Known);
    if (!candidate_ || stopped_) {
      r.stopped = stopped_;
      return r;
    }
    std::vector<std::vector<std::uint32_t>> states;
    for (StateNumber at = candidate_->state; at != support::no_state; at = known_[at].parent) {
      store_.load(cursor_, at);
      states.insert(states.begin(), std::vector(cursor_.slots().begin(), cursor_.slots().end()));
    }
    Found found;
    found.kind = candidate_->kind;
    found.detail = candidate_->detail;
    found.moves = moves_along(states, system_, core::Reduction::None, found.cost);
    found.cost = candidate_label_.cost;
    if (candidate_->move) found.moves.push_back(*candidate_->move);
    found.length = found.moves.size();
    r.found = std::move(found);
    return r;
  }

  const core::TransitionSystem& system_;
  const SearchOptions& options_;
  core::Budget& budget_;
  support::StateStore store_;
  std::unique_ptr<core::TransitionSystem::Scratch> scratch_;
  support::StateStore::Cursor cursor_;
  std::map<Label, std::vector<StateNumber>> queue_;
  std::vector<Known> known_;
  StateNumber current_ = support::no_state;
  Label now_;
  std::optional<Sighting> candidate_;
  Label candidate_label_;
  std::uint64_t transitions_ = 0;
  std::uint64_t emitted_ = 0;
  std::optional<core::Reason> stopped_;
  mutable LongStep long_step_;
};

}  // namespace

SearchResult least_cost(const core::TransitionSystem& system, const SearchOptions& options, core::Budget& budget) {
  return LeastCost(system, options, budget).run();
}

}  // namespace heddle::explore
