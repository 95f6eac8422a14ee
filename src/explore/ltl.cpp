// SPDX-License-Identifier: Apache-2.0
#include "explore/ltl.h"

#include <algorithm>
#include <limits>

#include "explore/ltl_lasso.h"
#include "explore/ltl_product.h"
#include "explore/ltl_states.h"
#include "explore/ltl_workers.h"
#include "explore/pace.h"

namespace heddle::explore {
namespace {

core::Reason too_many() {
  return {core::Reason::Kind::StateLimit, "the product has more states than this search can number"};
}

class Emptiness {
 public:
  Emptiness(const core::TransitionSystem& system, const LtlQuery& query, core::Budget& budget)
      : system_(system),
        budget_(budget),
        product_(system, query),
        words_(product_.words()),
        states_(system, product_, 1),
        reader_(states_, product_, 0),
        visits_(states_.automaton_bits()) {
    product_.watch_long_steps([this] { return spent(); });
  }

  LtlResult run() {
    const std::vector<std::uint32_t> initial = product_.initial();
    const std::vector<std::uint64_t> nothing(words_, 0);
    enter(short_number(reader_.number_of(initial)), nothing.data());
    Pace pace;
    std::uint32_t since_poll = 0;
    while (!frames_.empty() && !done_) {
      step();
      if (++since_poll % 256 != 0 && !pace.due()) continue;
      if (spent()) break;
      states_.store().outgrow();
    }
    return result(initial);
  }

 private:
  using Number = std::uint32_t;  // of a state of the store
  struct Frame {
    Number state;
    std::uint32_t pending;  // its first arc in pending_
  };

  bool spent() {
    const std::uint64_t states = states_.beside() ? visited_ : states_.store().size();
    if (!stopped_) stopped_ = budget_.spent({.states = states, .depth = frames_.size()});
    return stopped_.has_value();
  }

  Number short_number(support::StateNumber number) {
    if (number >= dead) {
      stopped_ = too_many();
      return 0;
    }
    visits_.reserve(static_cast<Number>(number));
    return static_cast<Number>(number);
  }

  void step() {
    Frame& frame = frames_.back();
    if (pending_.size() > frame.pending) {
      const Number target = pending_.back();
      pending_.pop_back();
      arrived_.assign(pending_marks_.end() - static_cast<std::ptrdiff_t>(words_), pending_marks_.end());
      pending_marks_.resize(pending_marks_.size() - words_);
      if (visits_[target] == unvisited) enter(target, arrived_.data());
      else if (visits_[target] != dead) close(visits_[target], arrived_.data());
      return;
    }
    if (roots_.back() == visits_[frame.state]) {  // the component is complete and not accepting
      while (!live_.empty() && visits_[live_.back()] >= roots_.back() && visits_[live_.back()] != dead) {
        visits_[live_.back()] = dead;
        live_.pop_back();
      }
      roots_.pop_back();
      fulfilled_.resize(fulfilled_.size() - words_);
      entry_.resize(entry_.size() - words_);
      ++components_;
    }
    frames_.pop_back();
  }

  // Begins the state: a component of its own, reached by an arc with these marks. Arcs into the components of the path
  // are closed at once; only arcs to states not yet visited wait.
  void enter(Number state, const std::uint64_t* marks) {
    visits_[state] = ++visited_;
    live_.push_back(state);
    roots_.push_back(visited_);
    entry_.insert(entry_.end(), marks, marks + words_);
    frames_.push_back({state, static_cast<std::uint32_t>(pending_.size())});
    visits_.note_use(state);
    const bool fine = reader_.expand(state);
    const auto own = product_.state_marks();
    fulfilled_.insert(fulfilled_.end(), own.begin(), own.end());
    if (!fine) {
      done_ = true;
      return;
    }
    const auto targets = reader_.targets();
    transitions_ += targets.size();
    for (std::size_t i = 0; i < targets.size() && !done_ && !stopped_; ++i)
      follow(short_number(targets[i]), reader_.marks(i));
    if (pending_.size() >= dead) stopped_ = too_many();
  }

  void follow(Number target, const std::uint64_t* marks) {
    if (visits_[target] == unvisited) {
      pending_.push_back(target);
      pending_marks_.insert(pending_marks_.end(), marks, marks + words_);
    } else if (visits_[target] != dead) {
      close(visits_[target], marks);
    }
  }

  // An arc from the end of the path to a state of it: everything from that state on is one component.
  void close(std::uint32_t visit, const std::uint64_t* marks) {
    merged_.assign(marks, marks + words_);
    const auto merge = [&](const std::vector<std::uint64_t>& stack) {
      for (std::size_t w = 0; w < words_; ++w) merged_[w] |= stack[stack.size() - words_ + w];
    };
    while (roots_.back() > visit) {
      merge(fulfilled_);
      merge(entry_);
      roots_.pop_back();
      fulfilled_.resize(fulfilled_.size() - words_);
      entry_.resize(entry_.size() - words_);
    }
    merge(fulfilled_);
    std::ranges::copy(merged_, fulfilled_.end() - static_cast<std::ptrdiff_t>(words_));
    if (std::ranges::equal(merged_, product_.all_sets())) accepted_ = done_ = true;
  }

  LtlResult result(const std::vector<std::uint32_t>& initial) {
    LtlResult r;
    r.states = visited_;
    r.transitions = transitions_;
    r.components = components_;
    r.bytes = states_.store().bytes() + system_.bytes() + visits_.bytes(states_.store().number_limit()) +
              (live_.capacity() + pending_.capacity()) * sizeof(Number) + frames_.capacity() * sizeof(Frame) +
              pending_marks_.capacity() * sizeof(std::uint64_t);
    if (states_.beside()) r.system_states = states_.store().size();
    const auto state = [this](std::uint32_t number) { return reader_.state_of(number); };
    const auto find = [this](core::State s) { return short_number(reader_.number_of(s)); };
    const auto visited = [this](std::uint32_t n) { return visits_[n] != unvisited; };
    const std::uint32_t root = roots_.empty() ? dead : roots_.back();
    const auto inside = [this, root](std::uint32_t n) { return visits_[n] != dead && visits_[n] >= root; };
    const Numbering numbering{state, find, visited, inside};
    if (product_.error()) {
      r.error = product_.error();
      std::vector<core::Move> moves = path_to(product_, initial, frames_.back().state, numbering);
      moves.insert(moves.end(), r.error->moves.begin(), r.error->moves.end());
      r.error->moves = std::move(moves);
    } else if (accepted_) {
      r.lasso = find_lasso(product_, initial, numbering);
    } else {
      r.stopped = stopped_;
    }
    return r;
  }

  static constexpr std::uint32_t unvisited = 0, dead = std::numeric_limits<std::uint32_t>::max();

  const core::TransitionSystem& system_;
  core::Budget& budget_;
  LtlProduct product_;
  const std::size_t words_;
  LtlStates states_;
  LtlReader reader_;

  ByProductState<std::uint32_t> visits_;  // when the state was entered; dead: its component is complete
  std::vector<Number> live_;              // states of incomplete components, in the order of their visits
  std::vector<Frame> frames_;             // the path
  std::vector<Number> pending_;           // targets of arcs not yet followed, of all frames
  // Components of the path: the visit of the first state, and as sets of words_ words each what the component fulfils
  // and what the arc into it does.
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint64_t> fulfilled_, entry_;
  std::vector<std::uint64_t> pending_marks_, arrived_, merged_;
  std::uint32_t visited_ = 0;
  std::uint64_t transitions_ = 0, components_ = 0;
  bool done_ = false, accepted_ = false;
  std::optional<core::Reason> stopped_;
};

}  // namespace

LtlResult find_violation(const core::TransitionSystem& system, const LtlQuery& query, core::Budget& budget) {
  return query.workers > 1 ? find_violation_by_workers(system, query, budget) : Emptiness(system, query, budget).run();
}

}  // namespace heddle::explore
