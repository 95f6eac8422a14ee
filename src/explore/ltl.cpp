// SPDX-License-Identifier: Apache-2.0
#include "explore/ltl.h"

#include <algorithm>
#include <limits>

#include "explore/ltl_lasso.h"
#include "explore/ltl_product.h"
#include "explore/ltl_states.h"
#include "explore/ltl_workers.h"
#include "explore/pace.h"
#include "support/chunked_stack.h"

namespace heddle::explore {
namespace {

core::Reason too_many() {
  return {core::Reason::Kind::StateLimit, "the product has more states than this search can number"};
}

// Which visits are of states in incomplete components. States are numbered by their visits: when the component whose
// first visit is r is complete, all visits from r on are of completed components, so the others are a few intervals.
class LiveVisits {
 public:
  bool contains(std::uint32_t visit) const {
    if (visit >= open_) return true;
    const auto behind = std::ranges::upper_bound(closed_, visit, {}, &Interval::first);
    return behind != closed_.begin() && visit < std::prev(behind)->end;
  }

  // The component whose first visit this is is complete; `next` will be the next visit.
  void complete(std::uint32_t first, std::uint32_t next) {
    if (first > open_) closed_.push_back({open_, first});
    while (!closed_.empty() && closed_.back().first >= first) closed_.pop_back();
    if (!closed_.empty()) closed_.back().end = std::min(closed_.back().end, first);
    open_ = next;
  }

  std::uint64_t bytes() const { return closed_.capacity() * sizeof(Interval); }

 private:
  struct Interval {
    std::uint32_t first, end;
  };
  std::vector<Interval> closed_;  // ascending
  std::uint32_t open_ = 1;        // every visit from here on
};

// What the search still has to do: the states of the path, and above each of them the arcs from it that were not yet
// followed, each with its marks in as few bytes as they need.
class Pending {
 public:
  using Number = std::uint32_t;

  explicit Pending(std::uint32_t sets) : path_bit_(static_cast<std::uint8_t>(1U << (sets % 8))), last_byte_(sets / 8) {}

  bool empty() const { return numbers_.empty(); }
  Number top() const { return numbers_.top(); }
  bool top_is_of_the_path() const { return (marks_.top() & path_bit_) != 0; }
  std::uint64_t path_length() const { return path_length_; }
  std::uint64_t size() const { return numbers_.size(); }
  std::uint64_t bytes() const { return numbers_.bytes() + marks_.bytes(); }

  void push_state(Number state) {
    numbers_.push(state);
    for (std::size_t i = 0; i < last_byte_; ++i) marks_.push(0);
    marks_.push(path_bit_);
    ++path_length_;
  }
  void pop_state() {
    numbers_.pop();
    for (std::size_t i = 0; i <= last_byte_; ++i) marks_.pop();
    --path_length_;
  }
  void push_arc(Number target, const std::uint64_t* marks) {
    numbers_.push(target);
    for (std::size_t i = 0; i < last_byte_; ++i) marks_.push(byte(marks, i));
    marks_.push(path_bit_ == 1 ? std::uint8_t{0} : byte(marks, last_byte_));  // 1: the last byte has no set
  }
  // Its target; its marks are or-ed to `marks`.
  Number pop_arc(std::uint64_t* marks) {
    for (std::size_t i = last_byte_ + 1; i-- != 0;)
      if (const std::uint64_t bits = marks_.pop(); bits != 0) marks[i / 8] |= bits << i % 8 * 8;
    return numbers_.pop();
  }

  // Takes out the arcs for which done(target, marks) says that following them would change nothing.
  template <class Done>
  void purge(std::vector<std::uint64_t>& marks, Done&& done) {
    const std::size_t width = last_byte_ + 1;
    std::uint64_t kept = 0;
    for (std::uint64_t i = 0; i < numbers_.size(); ++i) {
      const Number number = numbers_[i];
      if ((marks_[i * width + last_byte_] & path_bit_) == 0) {
        std::ranges::fill(marks, 0);
        for (std::size_t k = 0; k < width; ++k)
          if (const std::uint64_t bits = marks_[i * width + k]; bits != 0) marks[k / 8] |= bits << k % 8 * 8;
        if (done(number, marks.data())) continue;
      }
      numbers_[kept] = number;
      for (std::size_t k = 0; k < width; ++k) marks_[kept * width + k] = marks_[i * width + k];
      ++kept;
    }
    numbers_.cut(kept);
    marks_.cut(kept * width);
  }

 private:
  static std::uint8_t byte(const std::uint64_t* marks, std::size_t i) {
    return static_cast<std::uint8_t>(marks[i / 8] >> i % 8 * 8);
  }
  const std::uint8_t path_bit_;  // of the last byte: a state of the path, not an arc
  const std::size_t last_byte_;  // of what lies in marks_ for each number
  support::ChunkedStack<Number> numbers_;
  support::ChunkedStack<std::uint8_t> marks_;
  std::uint64_t path_length_ = 0;
};

class Emptiness {
 public:
  Emptiness(const core::TransitionSystem& system, const LtlQuery& query, core::Budget& budget)
      : system_(system),
        budget_(budget),
        product_(system, query),
        words_(product_.words()),
        states_(system, product_, 1),
        reader_(states_, product_, 0),
        visits_(states_.automaton_bits()),
        pending_(product_.sets()),
        purge_from_(query.purge_from),
        next_purge_(query.purge_from),
        arrived_(words_) {
    product_.watch_long_steps([this] { return spent(); });
  }

  LtlResult run() {
    const std::vector<std::uint32_t> initial = product_.initial();
    const std::vector<std::uint64_t> nothing(words_, 0);
    enter(short_number(reader_.number_of(initial)), nothing.data());
    Pace pace;
    std::uint32_t since_poll = 0;
    while (!pending_.empty() && !done_) {
      if (++since_poll % 256 == 0 || pace.due() || has_all_states(budget_, [this] { return states(); })) {
        if (spent()) break;
        states_.store().outgrow();
      }
      step();
    }
    return result(initial);
  }

 private:
  using Number = Pending::Number;  // of a state of the store

  std::uint64_t states() const { return states_.beside() ? visited_ : states_.store().size(); }

  bool spent() {
    if (!stopped_) stopped_ = budget_.spent({.states = states(), .depth = pending_.path_length()});
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

  bool is_live(Number state) {
    std::uint32_t& visit = visits_[state];
    if (visit != dead && !live_.contains(visit)) visit = dead;
    return visit != dead;
  }

  void step() {
    if (!pending_.top_is_of_the_path()) {
      std::ranges::fill(arrived_, 0);
      const Number target = pending_.pop_arc(arrived_.data());
      if (visits_[target] == unvisited) enter(target, arrived_.data());
      else if (is_live(target)) close(visits_[target], arrived_.data());
      return;
    }
    if (roots_.back() == visits_[pending_.top()]) {  // the component is complete and not accepting
      live_.complete(roots_.back(), visited_ + 1);
      roots_.pop_back();
      fulfilled_.resize(fulfilled_.size() - words_);
      entry_.resize(entry_.size() - words_);
      ++components_;
    }
    pending_.pop_state();
  }

  // Begins the state: a component of its own, reached by an arc with these marks. Arcs into the components of the path
  // are closed at once; only arcs to states not yet visited wait.
  void enter(Number state, const std::uint64_t* marks) {
    visits_[state] = ++visited_;
    roots_.push_back(visited_);
    entry_.insert(entry_.end(), marks, marks + words_);
    pending_.push_state(state);
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
    if (pending_.size() >= next_purge_) purge();
  }

  // Most arcs that wait for long lead to states that were visited in the meantime: after their sources, so these arcs unite
  // nothing, and matter by their marks alone. Those whose marks the target's component has, or whose target is not live, are
  // taken out whenever the stack has grown by half: if source and target come into one component, it has the marks, too.
  void purge() {
    pending_.purge(arrived_, [this](Number target, const std::uint64_t* marks) {
      if (visits_[target] == unvisited) return false;
      if (!is_live(target)) return true;
      const auto above = std::ranges::upper_bound(roots_, visits_[target]) - roots_.begin();
      const std::uint64_t* fulfilled = fulfilled_.data() + static_cast<std::size_t>(above - 1) * words_;
      for (std::size_t w = 0; w < words_; ++w)
        if ((marks[w] & ~fulfilled[w]) != 0) return false;
      return true;
    });
    if (purge_from_ != 0) next_purge_ = std::max(purge_from_, pending_.size() + pending_.size() / 2);
  }

  void follow(Number target, const std::uint64_t* marks) {
    if (visits_[target] == unvisited) {
      pending_.push_arc(target, marks);
    } else if (is_live(target)) {
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
              live_.bytes() + pending_.bytes();
    if (states_.beside()) r.system_states = states_.store().size();
    const auto state = [this](std::uint32_t number) { return reader_.state_of(number); };
    const auto find = [this](core::State s) { return short_number(reader_.number_of(s)); };
    const auto visited = [this](std::uint32_t n) { return visits_[n] != unvisited; };
    const std::uint32_t root = roots_.empty() ? dead : roots_.back();
    const auto inside = [this, root](std::uint32_t n) {
      return visits_[n] != unvisited && visits_[n] >= root && is_live(n);
    };
    const Numbering numbering{state, find, visited, inside};
    if (product_.error()) {
      r.error = product_.error();
      std::vector<core::Move> moves = path_to(product_, initial, pending_.top(), numbering);
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

  ByProductState<std::uint32_t> visits_;  // when the state was entered; dead: its component is known to be complete
  LiveVisits live_;
  Pending pending_;
  const std::uint64_t purge_from_;  // the smallest size of pending_ for it; 0: always
  std::uint64_t next_purge_;
  // Components of the path: the visit of the first state, and as sets of words_ words each what the component fulfils
  // and what the arc into it does.
  std::vector<std::uint32_t> roots_;
  std::vector<std::uint64_t> fulfilled_, entry_;
  std::vector<std::uint64_t> arrived_, merged_;
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
