// SPDX-License-Identifier: Apache-2.0
#include "explore/ltl.h"

#include <algorithm>
#include <limits>

#include "explore/ltl_lasso.h"
#include "explore/ltl_product.h"
#include "explore/pace.h"
#include "support/segmented.h"
#include "support/state_store.h"

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
        beside_(product_.automaton_states() <= most_beside ? static_cast<Number>(product_.automaton_states()) : 0),
        automaton_(query.violations != nullptr),
        store_({.fixed_length = beside_ != 0 ? system.fixed_length() : product_.fixed_length(),
                .flag_bits = 0,
                .starts_small = true,
                .first_half = product_.first_half()}),
        cursor_(store_.make_cursor(0)) {
    product_.watch_long_steps([this] { return spent(); });
  }

  LtlResult run() {
    const std::vector<std::uint32_t> initial = product_.initial();
    const std::vector<std::uint64_t> nothing(words_, 0);
    enter(number_of(initial), nothing.data());
    Pace pace;
    std::uint32_t since_poll = 0;
    while (!frames_.empty() && !done_) {
      step();
      if (++since_poll % 256 != 0 && !pace.due()) continue;
      if (spent()) break;
      store_.outgrow();
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
    const std::uint64_t states = beside_ != 0 ? visited_ : store_.size();
    if (!stopped_) stopped_ = budget_.spent({.states = states, .depth = frames_.size()});
    return stopped_.has_value();
  }

  // A product state has one number. Small automata stand beside the store: it holds the system's states, each of which has as
  // many numbers as the automaton has states. So a step of the system is looked up once, whatever the automaton does.
  Number number_of(core::State state) {
    if (beside_ == 0) return short_number(store_.insert(cursor_, state, support::no_state, 0).number);
    const core::State system = automaton_ ? state.first(state.size() - 1) : state;
    return beside(store_.insert(cursor_, system, support::no_state, 0).number, automaton_ ? state.back() : 0);
  }
  Number beside(support::StateNumber system, std::uint32_t automaton) {
    return short_number(system * beside_ + automaton);
  }

  // The product state. Valid until the next call, or the next insertion.
  core::State state_of(Number number) {
    store_.load(cursor_, beside_ == 0 ? number : number / beside_);
    if (beside_ == 0 || !automaton_) return cursor_.slots();
    const core::State system = cursor_.slots();
    loaded_.assign(system.begin(), system.end());
    loaded_.push_back(number % beside_);
    return loaded_;
  }

  Number short_number(support::StateNumber number) {
    if (number >= dead) {
      stopped_ = too_many();
      return 0;
    }
    visits_.reserve(static_cast<Number>(number));
    largest_ = std::max(largest_, static_cast<Number>(number));
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
    const bool fine = product_.expand(state_of(state));
    const auto own = product_.state_marks();
    fulfilled_.insert(fulfilled_.end(), own.begin(), own.end());
    if (!fine) {
      done_ = true;
      return;
    }
    // Inserted together, so that the store can fetch what it needs from memory in the meantime.
    prepared_.clear();
    arc_marks_.clear();
    automaton_targets_.clear();
    if (beside_ != 0)
      for (std::size_t i = 0; i < product_.steps(); ++i)
        prepared_.push_back(store_.prepare(cursor_, product_.step_target(i)));
    product_.each_arc([&](const LtlProduct::Arc& arc) {
      if (beside_ == 0) prepared_.push_back(store_.prepare(cursor_, arc.target));
      else automaton_targets_.push_back(automaton_ ? arc.target.back() : 0);
      arc_marks_.insert(arc_marks_.end(), arc.marks.begin(), arc.marks.end());
    });
    inserted_.resize(prepared_.size());
    store_.insert(cursor_, prepared_, support::no_state, 0, inserted_);
    const std::size_t arcs = product_.arcs();
    transitions_ += arcs;
    for (std::size_t i = 0; i < arcs && !done_ && !stopped_; ++i) {
      const Number target = beside_ == 0 ? short_number(inserted_[i].number)
                                         : beside(inserted_[i % inserted_.size()].number, automaton_targets_[i]);
      follow(target, arc_marks_.data() + i * words_);
    }
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
    r.bytes = store_.bytes() + system_.bytes() + (std::uint64_t{largest_} + 1) * sizeof(std::uint32_t) +
              (live_.capacity() + pending_.capacity()) * sizeof(Number) + frames_.capacity() * sizeof(Frame) +
              pending_marks_.capacity() * sizeof(std::uint64_t);
    if (beside_ != 0) r.system_states = store_.size();
    const auto state = [this](std::uint32_t number) { return state_of(number); };
    const auto find = [this](core::State s) { return number_of(s); };
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
  static constexpr std::size_t most_beside = 4;  // each costs four bytes for every state of the system
  const Number beside_;                          // states of an automaton that stands beside the store; 0: it is in it
  const bool automaton_;                         // product states end in one of its states
  support::StateStore store_;
  support::StateStore::Cursor cursor_;

  support::Segmented<std::uint32_t> visits_;  // by number: when the state was entered; dead: its component is complete
  Number largest_ = 0;                        // … that has a place there
  std::vector<Number> live_;                  // states of incomplete components, in the order of their visits
  std::vector<Frame> frames_;                 // the path
  std::vector<Number> pending_;               // targets of arcs not yet followed, of all frames
  // Components of the path: the visit of the first state, and as sets of words_ words each what the component fulfils
  // and what the arc into it does.
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint64_t> fulfilled_, entry_;
  std::vector<std::uint64_t> pending_marks_, arrived_, merged_;
  std::vector<support::StateStore::Prepared> prepared_;  // targets of the arcs of the state in hand
  std::vector<support::StateStore::Inserted> inserted_;
  std::vector<std::uint64_t> arc_marks_;
  std::vector<std::uint32_t> automaton_targets_;  // of the arcs
  std::vector<std::uint32_t> loaded_;             // by state_of()
  std::uint32_t visited_ = 0;
  std::uint64_t transitions_ = 0, components_ = 0;
  bool done_ = false, accepted_ = false;
  std::optional<core::Reason> stopped_;
};

}  // namespace

LtlResult find_violation(const core::TransitionSystem& system, const LtlQuery& query, core::Budget& budget) {
  return Emptiness(system, query, budget).run();
}

}  // namespace heddle::explore
