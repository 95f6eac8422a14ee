// SPDX-License-Identifier: Apache-2.0
#include "explore/livelock.h"

#include <algorithm>

#include "explore/pace.h"
#include "explore/searches.h"
#include "support/state_store.h"

namespace heddle::explore {
namespace {

using support::StateNumber;

// States in the order in which they were met (breadth first), with their edges.
class Graph final : public core::SuccessorSink {
 public:
  Graph(const core::TransitionSystem& system, core::Budget& budget)
      : system_(system),
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
      system_.successors(cursor_.slots(), core::Reduction::None, *scratch_, *this);
      if (stopped) return false;
      ends.push_back(!emitted_ && system_.proper_end(cursor_.slots(), *scratch_));
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
  }

  std::vector<std::uint32_t> state(std::uint32_t at) {
    store_.load(cursor_, numbers[at]);
    return {cursor_.slots().begin(), cursor_.slots().end()};
  }
  std::uint64_t bytes() const {
    return store_.bytes() + system_.bytes() + 8 * (numbers.size() + first_edge.size()) +
           4 * (targets.size() + parents.size());
  }

  std::vector<StateNumber> numbers;
  std::vector<std::uint32_t> parents;
  std::vector<std::uint64_t> first_edge;  // in targets; one more than there are states
  std::vector<std::uint32_t> targets;
  std::vector<bool> ends;
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

// What can never end and does not run into a deadlock only.
std::vector<bool> endless(const Graph& g) {
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
  std::vector<bool> left(can_end.size());
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
    for (std::uint64_t e = reverse.first[t]; e < reverse.first[t + 1]; ++e)
      if (const std::uint32_t s = reverse.sources[e]; left[s] && --successors[s] == 0) todo.push_back(s);
  }
  return left;
}

}  // namespace

LivelockResult find_livelock(const core::TransitionSystem& system, core::Budget& budget) {
  LivelockResult result;
  Graph graph(system, budget);
  const bool complete = graph.build();
  result.states = graph.numbers.size();
  result.transitions = graph.targets.size();
  result.bytes = graph.bytes();
  if (!complete) {
    result.stopped = graph.stopped;
    return result;
  }
  const std::vector<bool> left = endless(graph);
  const auto first = std::ranges::find(left, true);
  if (first == left.end()) return result;
  result.found = true;

  // States are in breadth-first order: this one is nearest. Inside, every state has a successor inside: follow it until
  // a state comes back.
  std::vector<std::uint32_t> walk{static_cast<std::uint32_t>(first - left.begin())};
  std::vector<std::uint32_t> seen_at(left.size(), 0xffffffff);
  for (;;) {
    const std::uint32_t s = walk.back();
    if (seen_at[s] != 0xffffffff) break;
    seen_at[s] = static_cast<std::uint32_t>(walk.size() - 1);
    for (std::uint64_t e = graph.first_edge[s]; e < graph.first_edge[s + 1]; ++e)
      if (left[graph.targets[e]]) {
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
