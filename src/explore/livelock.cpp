// SPDX-License-Identifier: Apache-2.0
#include "explore/livelock.h"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "explore/pace.h"
#include "explore/searches.h"
#include "support/state_store.h"

namespace heddle::explore {
namespace {

using support::StateNumber;

// States in the order in which they were met (breadth first), with their edges.
class Graph final : public core::SuccessorSink {
 public:
  Graph(const core::TransitionSystem& system, const FailedAssumption& fails, core::Budget& budget)
      : system_(system),
        fails_(fails),
        budget_(budget),
        store_({.fixed_length = system.fixed_length(), .flag_bits = 0, .first_half = system.first_half()}),
        scratch_(system.make_scratch()),
        cursor_(store_.make_cursor(0)) {
    long_step_.watch([this] {
      stopped = budget_.spent({.states = numbers.size()});
      return stopped.has_value();
    });
  }

  // False if the budget ended.
  bool build() {
    Pace pace;
    reach(system_.initial(*scratch_), 0);
    for (std::uint32_t at = 0; at < numbers.size(); ++at) {
      current_ = at;
      first_edge.push_back(static_cast<std::uint64_t>(targets.size()));
      emitted_ = false;
      store_.load(cursor_, numbers[at]);
      failed.push_back(fails_ && fails_(cursor_.slots(), *scratch_));
      if (!failed.back()) system_.successors(cursor_.slots(), core::Reduction::None, *scratch_, *this);
      if (stopped) return false;
      ends.push_back(!failed.back() && !emitted_ && system_.proper_end(cursor_.slots(), *scratch_));
      if ((at % 256 == 0 || pace.due() || has_all_states(budget_, [this] { return numbers.size(); })) &&
          (stopped = budget_.spent({.states = numbers.size()})))
        return false;
    }
    first_edge.push_back(static_cast<std::uint64_t>(targets.size()));
    return true;
  }

  bool enough() const override { return long_step_.over(); }

  void successor(const core::Successor& s) override {
    emitted_ = true;
    if (s.error != 0) return;  // an error is an end of its own; other properties report it
    targets.push_back(reach({s.state.begin(), s.state.end()}, current_));
    movers.push_back(s.move.kind == core::Move::Kind::Flush ? flushes | s.move.thread : s.move.thread);
  }

  std::vector<std::uint32_t> state(std::uint32_t at) {
    store_.load(cursor_, numbers[at]);
    return {cursor_.slots().begin(), cursor_.slots().end()};
  }
  std::uint64_t bytes() const {
    return store_.bytes() + system_.bytes() + 8 * (numbers.size() + first_edge.size()) +
           4 * (targets.size() + movers.size() + parents.size());
  }

  std::vector<StateNumber> numbers;
  std::vector<std::uint32_t> parents;
  std::vector<std::uint64_t> first_edge;  // in targets; one more than there are states
  std::vector<std::uint32_t> targets;
  static constexpr std::uint32_t flushes = 1u << 31;
  std::vector<std::uint32_t> movers;  // of each edge: the thread, or `flushes` and the thread whose buffer it is
  std::vector<bool> ends;
  std::vector<bool> failed;  // an assumption has: no run goes through such a state
  std::optional<core::Reason> stopped;

 private:
  std::uint32_t reach(const std::vector<std::uint32_t>& slots, std::uint32_t parent) {
    const auto inserted = store_.insert(cursor_, slots, support::no_state, 0);
    if (place_.size() <= inserted.number) place_.resize(inserted.number + inserted.number / 2 + 4096);
    if (inserted.fresh) {
      place_[inserted.number] = static_cast<std::uint32_t>(numbers.size());
      numbers.push_back(inserted.number);
      parents.push_back(parent);
    }
    return place_[inserted.number];
  }

  const core::TransitionSystem& system_;
  const FailedAssumption& fails_;
  core::Budget& budget_;
  support::StateStore store_;
  std::unique_ptr<core::TransitionSystem::Scratch> scratch_;
  support::StateStore::Cursor cursor_;
  std::vector<std::uint32_t> place_;  // by the store's number: the index here
  std::uint32_t current_ = 0;
  bool emitted_ = false;
  mutable LongStep long_step_;
};

// The edges turned round: sources of each state's incoming edges.
struct Reverse {
  explicit Reverse(const Graph& g) : first(g.numbers.size() + 1), sources(g.targets.size()) {
    for (const std::uint32_t t : g.targets) ++first[t + 1];
    for (std::size_t i = 1; i < first.size(); ++i) first[i] += first[i - 1];
    std::vector<std::uint64_t> next(first.begin(), first.end() - 1);
    for (std::uint32_t s = 0; s < g.numbers.size(); ++s)
      for (std::uint64_t e = g.first_edge[s]; e < g.first_edge[s + 1]; ++e) sources[next[g.targets[e]]++] = s;
  }
  std::vector<std::uint64_t> first;
  std::vector<std::uint32_t> sources;
};

struct Endless {
  std::vector<bool> left;   // states that can never end and do not run into deadlocks and failed assumptions only
  std::vector<bool> fails;  // of the others: states that run into failed assumptions only
};

Endless endless(const Graph& g) {
  const Reverse reverse(g);
  std::vector<bool> can_end = g.ends;
  std::vector<std::uint32_t> todo;
  for (std::uint32_t s = 0; s < can_end.size(); ++s)
    if (can_end[s]) todo.push_back(s);
  while (!todo.empty()) {
    const std::uint32_t t = todo.back();
    todo.pop_back();
    for (std::uint64_t e = reverse.first[t]; e < reverse.first[t + 1]; ++e)
      if (const std::uint32_t s = reverse.sources[e]; !can_end[s]) {
        can_end[s] = true;
        todo.push_back(s);
      }
  }
  std::vector<bool> left(can_end.size()), fails = g.failed;
  std::vector<std::uint32_t> successors(can_end.size());
  for (std::uint32_t s = 0; s < left.size(); ++s) {
    left[s] = !can_end[s];
    if (!left[s]) continue;
    successors[s] = static_cast<std::uint32_t>(g.first_edge[s + 1] - g.first_edge[s]);
    if (successors[s] == 0) todo.push_back(s);
  }
  while (!todo.empty()) {
    const std::uint32_t t = todo.back();
    todo.pop_back();
    left[t] = false;
    const std::span targets(g.targets.begin() + static_cast<std::ptrdiff_t>(g.first_edge[t]),
                            g.targets.begin() + static_cast<std::ptrdiff_t>(g.first_edge[t + 1]));
    if (!targets.empty()) fails[t] = std::ranges::all_of(targets, [&](std::uint32_t next) { return fails[next]; });
    for (std::uint64_t e = reverse.first[t]; e < reverse.first[t + 1]; ++e)
      if (const std::uint32_t s = reverse.sources[e]; left[s] && --successors[s] == 0) todo.push_back(s);
  }
  return {std::move(left), std::move(fails)};
}

// The strongly connected components of the states that are `left`, numbered so that edges between them lead to lower
// numbers (Tarjan, SIAM Journal on Computing 1972; without recursion).
class Components {
 public:
  Components(const Graph& g, const std::vector<bool>& left) : g_(g), left_(left), of(left.size(), nobody) {
    low_.resize(left.size(), 0);
    for (std::uint32_t s = 0; s < left.size(); ++s)
      if (left[s] && low_[s] == 0) search(s);
  }

 private:
  static constexpr std::uint32_t nobody = 0xffffffff;
  struct Visit {
    std::uint32_t state;
    std::uint32_t number;
    std::uint64_t edge;
  };

  void search(std::uint32_t root) {
    enter(root);
    while (!visits_.empty()) {
      Visit& v = visits_.back();
      if (v.edge == g_.first_edge[v.state + 1]) {
        leave();
        continue;
      }
      const std::uint32_t t = g_.targets[v.edge++];
      if (!left_[t] || of[t] != nobody) continue;
      if (low_[t] == 0) enter(t);
      else low_[v.state] = std::min(low_[v.state], low_[t]);
    }
  }
  void enter(std::uint32_t s) {
    low_[s] = ++entered_;
    stack_.push_back(s);
    visits_.push_back({s, entered_, g_.first_edge[s]});
  }
  void leave() {
    const Visit v = visits_.back();
    visits_.pop_back();
    if (!visits_.empty()) {
      std::uint32_t& above = low_[visits_.back().state];
      above = std::min(above, low_[v.state]);
    }
    if (low_[v.state] != v.number) return;
    members.emplace_back();
    for (std::uint32_t s = nobody; s != v.state;) {
      s = stack_.back();
      stack_.pop_back();
      of[s] = static_cast<std::uint32_t>(members.size() - 1);
      members.back().push_back(s);
    }
  }

  const Graph& g_;
  const std::vector<bool>& left_;
  std::vector<std::uint32_t> low_, stack_;  // low_: 0 before the state is entered
  std::vector<Visit> visits_;
  std::uint32_t entered_ = 0;

 public:
  std::vector<std::uint32_t> of;
  std::vector<std::vector<std::uint32_t>> members;
};

// Who moves in a component, and where to.
struct Movers {
  Movers(const Graph& g, const Components& components, std::uint32_t c, const std::vector<bool>& fails) {
    for (const std::uint32_t s : components.members[c]) {
      std::set<std::uint32_t> here;
      for (std::uint64_t e = g.first_edge[s]; e < g.first_edge[s + 1]; ++e) {
        const std::uint32_t t = g.targets[e];
        here.insert(g.movers[e]);
        if (components.of[t] == c) inside.insert(g.movers[e]);
        else if (!fails[t]) elsewhere.insert(g.movers[e]);
      }
      for (const std::uint32_t mover : here) ++states[mover];
    }
  }
  std::map<std::uint32_t, std::size_t> states;  // in how many states each can move
  std::set<std::uint32_t> inside, elsewhere;    // who can stay inside; who can get to where no assumption need fail
};

// The states of the components that fair runs can stay in: of those that are left, all but those that such a run leaves
// for a failed assumption. It does so if some thread, or the memory, can move in every state and all its moves lead to
// where assumptions have failed or will: a run that passes it over for ever is not the program's doing.
std::vector<bool> lasting(const Graph& g, const Components& components, std::vector<bool> fails) {
  std::vector<bool> lasts(fails.size(), false);
  for (std::uint32_t c = 0; c < components.members.size(); ++c) {
    const auto& members = components.members[c];
    const Movers movers(g, components, c, fails);
    const bool leaves = std::ranges::any_of(movers.states, [&](const auto& m) {
      return m.second == members.size() && !movers.inside.contains(m.first) && !movers.elsewhere.contains(m.first);
    });
    const bool cycle = !movers.inside.empty();
    for (const std::uint32_t s : members) {
      fails[s] = cycle ? leaves : movers.elsewhere.empty();
      lasts[s] = cycle && !leaves;
    }
  }
  return lasts;
}

}  // namespace

LivelockResult find_livelock(const core::TransitionSystem& system, const FailedAssumption& fails,
                             core::Budget& budget) {
  LivelockResult result;
  Graph graph(system, fails, budget);
  const bool complete = graph.build();
  result.states = graph.numbers.size();
  result.transitions = graph.targets.size();
  result.bytes = graph.bytes();
  if (!complete) {
    result.stopped = graph.stopped;
    return result;
  }
  const Endless rest = endless(graph);
  const Components components(graph, rest.left);
  const std::vector<bool> lasts = lasting(graph, components, rest.fails);
  const auto first = std::ranges::find(lasts, true);
  if (first == lasts.end()) return result;
  result.found = true;

  // States are in breadth-first order: this one is nearest. Every state of its component has a successor there: follow it
  // until a state comes back.
  std::vector<std::uint32_t> walk{static_cast<std::uint32_t>(first - lasts.begin())};
  std::vector<std::uint32_t> seen_at(lasts.size(), 0xffffffff);
  for (;;) {
    const std::uint32_t s = walk.back();
    if (seen_at[s] != 0xffffffff) break;
    seen_at[s] = static_cast<std::uint32_t>(walk.size() - 1);
    for (std::uint64_t e = graph.first_edge[s]; e < graph.first_edge[s + 1]; ++e)
      if (components.of[graph.targets[e]] == components.of[s]) {
        walk.push_back(graph.targets[e]);
        break;
      }
  }
  const std::uint32_t loop_start = seen_at[walk.back()];
  std::vector<std::uint32_t> path;
  for (std::uint32_t s = walk.front(); s != 0; s = graph.parents[s]) path.push_back(s);
  path.push_back(0);
  std::ranges::reverse(path);
  path.insert(path.end(), walk.begin() + 1, walk.begin() + loop_start + 1);

  const auto moves = [&](const std::vector<std::uint32_t>& states) {
    std::vector<std::vector<std::uint32_t>> slots;
    for (const std::uint32_t s : states) slots.push_back(graph.state(s));
    core::Cost cost;
    return moves_along(slots, system, core::Reduction::None, cost);
  };
  result.stem = moves(path);
  result.loop = moves({walk.begin() + loop_start, walk.end()});
  return result;
}

}  // namespace heddle::explore
