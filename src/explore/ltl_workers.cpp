// SPDX-License-Identifier: Apache-2.0
#include "explore/ltl_workers.h"

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <numeric>
#include <thread>
#include <unordered_map>

#include "explore/component_sets.h"
#include "explore/ltl_lasso.h"
#include "explore/ltl_product.h"
#include "explore/ltl_states.h"
#include "explore/pace.h"
#include "support/diagnostics.h"

namespace heddle::explore {
namespace {

using Number = ComponentSets::Number;
using Claim = ComponentSets::Claim;
using Sets = std::vector<std::uint64_t>;  // of acceptance sets, one after the other

// Marks the state's own number below its pending arcs: numbers of states have one bit less here.
constexpr Number end_of_arcs = Number{1} << 31;

// What the workers have in common.
struct Shared {
  Shared(const core::TransitionSystem& system, const LtlProduct& product, unsigned workers)
      : all_sets(product.all_sets().begin(), product.all_sets().end()),
        states(system, product, workers),
        sets(states.automaton_bits()),
        visited(workers) {}

  const Sets all_sets;
  LtlStates states;
  ComponentSets sets;
  struct alignas(64) Counter {
    std::atomic<std::uint64_t> value{0};
  };
  std::vector<Counter> visited;  // by worker: states that it was the first to enter

  std::uint64_t visited_by_all() const {
    return std::accumulate(visited.begin(), visited.end(), std::uint64_t{0}, [](std::uint64_t sum, const Counter& c) {
      return sum + c.value.load(std::memory_order_relaxed);
    });
  }

  // How the search ended, if not by itself: whatever was the first of its kind.
  struct Failure {
    unsigned worker;  // whose product has met an error
    Number state;
  };
  std::mutex mutex;
  std::optional<core::Reason> stopped;
  std::optional<Number> accepting;  // a state of the component
  std::optional<Failure> failed;
  std::atomic<bool> over{false};

  template <class T>
  void end(std::optional<T>& how, T what) {
    const std::lock_guard lock(mutex);
    if (!how) how = std::move(what);
    over = true;
  }

  Number short_number(support::StateNumber number) {
    if (number >= end_of_arcs) {
      end(stopped, core::Reason{core::Reason::Kind::StateLimit,
                                "the product has more states than workers can number; use --workers 1"});
      return 0;
    }
    sets.reserve(static_cast<Number>(number));
    return static_cast<Number>(number);
  }

  // Adds the marks that one worker has found in a complete component. Do all who came so far have all of them?
  bool gather(Number root, std::span<const std::uint64_t> marks) {
    const std::lock_guard lock(mutex);
    Sets& all = gathered[root];
    all.resize(marks.size());
    for (std::size_t w = 0; w < marks.size(); ++w) all[w] |= marks[w];
    return all == all_sets;
  }
  std::unordered_map<Number, Sets> gathered;  // by root, of components that several workers have entered
};

class Worker {
 public:
  // To be made in the thread that uses it: then what two workers write to lies far apart.
  Worker(const core::TransitionSystem& system, const LtlQuery& query, core::Budget& budget, Shared& shared,
         unsigned number)
      : budget_(budget),
        shared_(shared),
        sets_(shared.sets),
        number_(number),
        product_(system, query),
        words_(product_.words()),
        reader_(shared.states, product_, number),
        random_((number + 1) * 0x9e3779b9U) {
    product_.watch_long_steps([this] { return spent(); });
  }

  void run() {
    const Number initial = short_number(reader_.number_of(product_.initial()));
    const Claim claimed = claim(initial);
    if (claimed == Claim::Fresh || claimed == Claim::Entered)
      enter(initial, Sets(words_).data(), claimed == Claim::Fresh);
    Pace pace;
    std::uint32_t since_poll = 0;
    while (!path_.empty() && !shared_.over.load(std::memory_order_relaxed)) {
      step();
      if (++since_poll % 256 == 0 || pace.due() || has_all_states(budget_, [this] { return shared_.visited_by_all(); }))
        spent();
    }
  }

  const LtlProduct& product() const { return product_; }
  std::uint64_t transitions() const { return transitions_; }
  std::uint64_t components() const { return components_; }
  std::uint64_t bytes() const {
    return pending_.capacity() * sizeof(Number) + path_.capacity() * sizeof(Component) +
           (pending_marks_.capacity() + fulfilled_.capacity() + entry_.capacity()) * sizeof(std::uint64_t);
  }

 private:
  struct Component {
    Number state;           // of the set
    Number root;            // of the set, at some time
    std::uint64_t pending;  // its first arc in pending_
    bool cyclic;            // an arc inside the set has been found
  };

  Number short_number(support::StateNumber number) { return shared_.short_number(number); }

  bool spent() {
    if (shared_.over.load(std::memory_order_relaxed)) return true;
    auto reason = budget_.spent({.states = shared_.visited_by_all(), .depth = path_.size()});
    if (!reason) return false;
    shared_.end(shared_.stopped, std::move(*reason));
    return true;
  }

  Claim claim(Number state) {
    const Claim claimed = sets_.claim(state, number_);
    if (claimed == Claim::Fresh) {
      auto& visited = shared_.visited[number_].value;  // of which only this thread is the writer
      visited.store(visited.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
    }
    return claimed;
  }

  void step() {
    if (pending_.size() > path_.back().pending) {
      const Number target = pending_.back();
      pending_.pop_back();
      if ((target & end_of_arcs) != 0) {
        sets_.finish(target & ~end_of_arcs);
        return;
      }
      arrived_.assign(pending_marks_.end() - static_cast<std::ptrdiff_t>(words_), pending_marks_.end());
      pending_marks_.resize(pending_marks_.size() - words_);
      follow(target);
      return;
    }
    // Another worker may have united the two topmost sets: then what is pending below belongs to this one, too.
    if (join_below()) return;
    const auto picked = sets_.pick(path_.back().state, next_random() % most_skipped);
    components_ += picked.completed ? 1 : 0;
    if (picked.state) expand(*picked.state, false);
    else if (!join_below()) leave();
  }

  // An arc that was put off, with the marks arrived_.
  void follow(Number target) {
    switch (claim(target)) {
      case Claim::Fresh: enter(target, arrived_.data(), true); break;
      case Claim::Entered: enter(target, arrived_.data(), false); break;
      case Claim::OnPath: close(target, arrived_.data()); break;
      case Claim::Complete: break;
    }
  }

  // Puts the state's set on the path: the worker has just entered it, by an arc with these marks.
  void enter(Number state, const std::uint64_t* marks, bool first) {
    path_.push_back({state, state, pending_.size(), false});
    entry_.insert(entry_.end(), marks, marks + words_);
    fulfilled_.resize(fulfilled_.size() + words_);
    expand(state, first);
  }

  // Takes up a state of the topmost set. Arcs into the path are closed at once. The others wait, those to states that
  // other workers have entered below the new ones: in the meantime their sets may be united with this one, or complete.
  // `first`: nobody has taken it up before.
  void expand(Number state, bool first) {
    const bool fine = reader_.expand(state);
    add(fulfilled_, product_.state_marks().data());
    if (!fine) {
      shared_.end(shared_.failed, Shared::Failure{number_, state});
      return;
    }
    const auto targets = reader_.targets();
    if (first) transitions_ += targets.size();
    order_.clear();
    for (std::uint32_t i = 0; i < targets.size(); ++i) {
      sets_.prefetch(short_number(targets[i]));
      order_.push_back(i);
    }
    if (shared_.over.load(std::memory_order_relaxed)) return;
    if (number_ != 0)
      for (std::size_t i = order_.size(); i > 1; --i) std::swap(order_[i - 1], order_[next_random() % i]);
    pending_.push_back(state | end_of_arcs);
    const std::size_t end = pending_.size();
    unseen_.clear();
    for (const std::uint32_t i : order_) {
      const auto target = static_cast<Number>(targets[i]);
      Claim seen = Claim::OnPath;
      if (!sets_.below(target, path_.back().root)) seen = sets_.look(target, number_);
      if (seen == Claim::OnPath) close(target, reader_.marks(i));
      else if (seen == Claim::Entered) put_off(target, reader_.marks(i));
      else if (seen == Claim::Fresh) unseen_.push_back(i);
    }
    for (const std::uint32_t i : unseen_) put_off(static_cast<Number>(targets[i]), reader_.marks(i));
    if (pending_.size() > end) return;
    pending_.pop_back();
    sets_.finish(state);
  }

  void put_off(Number target, const std::uint64_t* marks) {
    pending_.push_back(target);
    pending_marks_.insert(pending_marks_.end(), marks, marks + words_);
  }

  // An arc of the topmost set into a set of the path.
  void close(Number target, const std::uint64_t* marks) {
    if (!sets_.below(target, path_.back().root)) {
      while (!sets_.same(path_.back().state, target)) {
        HEDDLE_ASSERT(path_.size() > 1);
        sets_.unite(path_.back().state, path_[path_.size() - 2].state);
        drop_border();
      }
      path_.back().root = sets_.root(path_.back().state);
    }
    add(fulfilled_, marks);
    found_cycle();
  }

  // If the two topmost sets are one.
  bool join_below() {
    if (path_.size() < 2 || !sets_.same(path_.back().state, path_[path_.size() - 2].state)) return false;
    drop_border();
    path_.back().root = sets_.root(path_.back().state);
    found_cycle();
    return true;
  }
  // What is known of the topmost set becomes the next one's.
  void drop_border() {
    merged_.assign(fulfilled_.end() - static_cast<std::ptrdiff_t>(words_), fulfilled_.end());
    fulfilled_.resize(fulfilled_.size() - words_);
    add(fulfilled_, merged_.data());
    add(fulfilled_, entry_.data() + entry_.size() - words_);
    entry_.resize(entry_.size() - words_);
    path_.pop_back();
  }

  void found_cycle() {
    path_.back().cyclic = true;
    if (std::ranges::equal(marks_of_top(), shared_.all_sets)) shared_.end(shared_.accepting, path_.back().state);
  }

  // The topmost set is complete.
  void leave() {
    const Component& top = path_.back();
    if (top.cyclic && sets_.several_workers(top.state) && shared_.gather(sets_.root(top.state), marks_of_top()))
      shared_.end(shared_.accepting, top.state);
    fulfilled_.resize(fulfilled_.size() - words_);
    entry_.resize(entry_.size() - words_);
    path_.pop_back();
  }

  std::span<const std::uint64_t> marks_of_top() const { return std::span(fulfilled_).last(words_); }
  void add(Sets& stack, const std::uint64_t* marks) const {
    for (std::size_t w = 0; w < words_; ++w) stack[stack.size() - words_ + w] |= marks[w];
  }

  std::uint32_t next_random() {  // xorshift (Marsaglia, 2003)
    random_ ^= random_ << 13;
    random_ ^= random_ >> 17;
    random_ ^= random_ << 5;
    return random_;
  }

  static constexpr unsigned most_skipped = 16;  // unfinished states that a worker leaves to others

  core::Budget& budget_;
  Shared& shared_;
  ComponentSets& sets_;
  const unsigned number_;
  LtlProduct product_;
  const std::size_t words_;
  LtlReader reader_;
  std::uint32_t random_;

  std::vector<Component> path_;
  Sets fulfilled_, entry_;  // of each set of the path: the marks found in it, and those of the arc into it
  // Targets of arcs not yet followed; below those of a state its own number with end_of_arcs.
  std::vector<Number> pending_;
  Sets pending_marks_;  // of these arcs
  Sets arrived_, merged_;
  std::vector<std::uint32_t> order_, unseen_;  // arcs of the state in hand
  std::uint64_t transitions_ = 0, components_ = 0;
};

LtlResult result(const core::TransitionSystem& system, const LtlQuery& query, Shared& shared,
                 const std::vector<std::unique_ptr<Worker>>& workers) {
  support::StateStore& store = shared.states.store();
  LtlResult r;
  r.states = shared.visited_by_all();
  r.bytes = store.bytes() + system.bytes() + shared.sets.bytes(store.number_limit());
  for (const auto& worker : workers) {
    r.transitions += worker->transitions();
    r.components += worker->components();
    r.bytes += worker->bytes();
  }
  if (shared.states.beside()) r.system_states = store.size();
  LtlProduct product(system, query);  // those of the workers are over: they may have been interrupted in a long step
  LtlReader reader(shared.states, product, 0);
  const auto state = [&](std::uint32_t number) { return reader.state_of(number); };
  const auto find = [&](core::State s) { return shared.short_number(reader.number_of(s)); };
  const auto visited = [&](std::uint32_t number) { return shared.sets.visited(number); };
  const auto inside = [&](std::uint32_t number) { return shared.sets.same(number, *shared.accepting); };
  const Numbering numbering{state, find, visited, inside};
  const std::vector<std::uint32_t> initial = product.initial();
  if (shared.failed) {
    r.error = workers[shared.failed->worker]->product().error();
    std::vector<core::Move> moves = path_to(product, initial, shared.failed->state, numbering);
    moves.insert(moves.end(), r.error->moves.begin(), r.error->moves.end());
    r.error->moves = std::move(moves);
  } else if (shared.accepting) {
    r.lasso = find_lasso(product, initial, numbering);
  } else {
    r.stopped = shared.stopped;
  }
  return r;
}

}  // namespace

LtlResult find_violation_by_workers(const core::TransitionSystem& system, const LtlQuery& query, core::Budget& budget) {
  const unsigned count = std::min(query.workers, ComponentSets::most_workers);
  Shared shared(system, LtlProduct(system, query), count);
  std::vector<std::unique_ptr<Worker>> workers(count);
  const auto work = [&](unsigned number) {
    workers[number] = std::make_unique<Worker>(system, query, budget, shared, number);
    workers[number]->run();
  };
  {
    std::vector<std::jthread> threads;
    for (unsigned number = 1; number < count; ++number) threads.emplace_back(work, number);
    work(0);
  }
  return result(system, query, shared, workers);
}

}  // namespace heddle::explore
