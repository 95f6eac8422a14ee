// The searches over random graphs against a plain breadth-first search with a std::vector of distances: states,
// transitions, levels, shortest paths to a goal and to a deadlock, for several numbers of workers.
// SPDX-License-Identifier: Apache-2.0
#include "explore/search.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "support/hash.h"

using namespace heddle;

namespace {

constexpr std::uint32_t unreached = ~std::uint32_t{0};

// Vertex v of `size` leads to a few others, most of them near, so that the graph has many levels. As a state it is a
// vector whose slots repeat among vertices, so that the store has trees to share.
class RandomGraph final : public core::TransitionSystem {
 public:
  RandomGraph(std::uint32_t size, std::uint32_t seed, bool ends) : size_(size), seed_(seed), ends_(ends) {}

  std::vector<std::uint32_t> targets(std::uint32_t v) const {
    const std::uint64_t h = support::hash_pair(v, 0, seed_);
    std::vector<std::uint32_t> out;
    if (ends_ && v > size_ / 2 && h % 1000 == 0) return out;
    for (std::uint32_t i = 0; i < 1 + h % 4; ++i) {
      const std::uint64_t g = support::hash_pair(v, i + 1, seed_);
      const std::uint32_t reach = g % 64 == 0 ? size_ / 8 + 1 : 1 + size_ / 200;
      out.push_back(static_cast<std::uint32_t>((v + 1 + (g >> 8) % reach) % size_));
    }
    return out;
  }
  static std::vector<std::uint32_t> encode(std::uint32_t v) {
    return {v % 13, v / 13 % 101, v % 1000, v / 1313, v % 13 + 7, v / 5000};
  }
  static std::uint32_t decode(core::State s) { return s[3] * 1313 + s[1] * 13 + s[0]; }

  std::vector<std::uint32_t> distances() const {
    std::vector<std::uint32_t> distance(size_, unreached), queue{0};
    distance[0] = 0;
    for (std::size_t at = 0; at < queue.size(); ++at)
      for (const std::uint32_t t : targets(queue[at]))
        if (distance[t] == unreached) {
          distance[t] = distance[queue[at]] + 1;
          queue.push_back(t);
        }
    return distance;
  }

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
  std::size_t fixed_length() const override { return 6; }
  std::size_t first_half() const override { return seed_ % 6; }
  std::vector<std::uint32_t> initial(Scratch&) const override { return encode(0); }
  void successors(core::State state, core::Reduction, Scratch&, core::SuccessorSink& sink) const override {
    std::uint32_t choice = 0;
    for (const std::uint32_t t : targets(decode(state))) {
      const auto next = encode(t);
      sink.successor({.state = next, .move = {core::Move::Kind::Step, 0, choice++}, .cost = {}});
    }
  }
  bool has_state_errors() const override { return false; }
  std::uint32_t state_error(core::State, Scratch&) const override { return 0; }
  std::string error_text(std::uint32_t) const override { return ""; }
  std::string error_kind(std::uint32_t) const override { return ""; }
  bool proper_end(core::State, Scratch&) const override { return false; }
  bool holds(std::uint32_t proposition, core::State state, Scratch&, std::uint32_t&) const override {
    return decode(state) == proposition;
  }
  bool accepting(core::State, Scratch&) const override { return false; }
  std::string show(core::State, Scratch&) const override { return ""; }
  std::vector<std::string> bounds_reached() const override { return {}; }
  std::uint64_t bytes() const override { return 0; }

  // Where a sequence of moves leads.
  std::uint32_t follow(const std::vector<core::Move>& moves) const {
    std::uint32_t v = 0;
    for (const core::Move& move : moves) v = targets(v).at(move.choice);
    return v;
  }

 private:
  std::uint32_t size_, seed_;
  bool ends_;
};

class Workers : public testing::TestWithParam<unsigned> {};

TEST_P(Workers, VisitEveryStateOnce) {
  for (std::uint32_t seed = 1; seed <= 4; ++seed) {
    const RandomGraph graph(seed == 4 ? 60'000 : 3'000 * seed, seed, false);
    const auto distance = graph.distances();
    std::uint64_t states = 0, transitions = 0;
    std::uint32_t farthest = 0;
    for (std::uint32_t v = 0; v < distance.size(); ++v) {
      if (distance[v] == unreached) continue;
      ++states;
      transitions += graph.targets(v).size();
      farthest = std::max(farthest, distance[v]);
    }
    for (const bool parents : {false, true}) {
      core::Budget budget;
      const auto result = explore::search(graph, {.workers = GetParam(), .parents = parents}, budget);
      EXPECT_FALSE(result.stopped);
      EXPECT_FALSE(result.found);
      EXPECT_EQ(result.states, states);
      EXPECT_EQ(result.transitions, transitions);
      EXPECT_EQ(result.levels, farthest + 1);
    }
    core::Budget budget;
    const auto deep = explore::search(graph, {.order = explore::SearchOrder::Depth, .workers = GetParam()}, budget);
    EXPECT_EQ(deep.states, states);
    EXPECT_EQ(deep.transitions, transitions);
  }
}

TEST_P(Workers, FindGoalsByShortestPaths) {
  const RandomGraph graph(40'000, 7, false);
  const auto distance = graph.distances();
  for (std::uint32_t i = 0; i < 6; ++i) {
    const auto goal = static_cast<std::uint32_t>(support::mix(i) % distance.size());
    core::Budget budget;
    explore::SearchOptions options{.workers = GetParam(), .parents = i % 2 == 0};
    options.goals.push_back({.proposition = goal, .forbidden_when = true});
    const auto result = explore::search_with_trace(graph, options, budget);
    ASSERT_EQ(result.found.has_value(), distance[goal] != unreached);
    if (!result.found) continue;
    EXPECT_EQ(result.found->length, distance[goal]);
    EXPECT_EQ(result.found->moves.size(), distance[goal]);
    EXPECT_EQ(graph.follow(result.found->moves), goal);
  }
}

TEST_P(Workers, FindTheNearestDeadlock) {
  const RandomGraph graph(40'000, 9, true);
  const auto distance = graph.distances();
  std::uint32_t nearest = unreached;
  for (std::uint32_t v = 0; v < distance.size(); ++v)
    if (graph.targets(v).empty()) nearest = std::min(nearest, distance[v]);
  ASSERT_NE(nearest, unreached);
  core::Budget budget;
  const auto result =
      explore::search_with_trace(graph, {.workers = GetParam(), .parents = true, .deadlocks = true}, budget);
  ASSERT_TRUE(result.found);
  EXPECT_EQ(result.found->kind, explore::Found::Kind::Deadlock);
  EXPECT_EQ(result.found->length, nearest);
  EXPECT_TRUE(graph.targets(graph.follow(result.found->moves)).empty());
}

TEST_P(Workers, EndWhenTheBudgetDoes) {
  const RandomGraph graph(100'000, 11, false);
  core::Budget budget;
  budget.max_states = 20'000;
  const auto result = explore::search(graph, {.workers = GetParam()}, budget);
  EXPECT_TRUE(result.stopped);
  EXPECT_GE(result.states, 20'000U);
  EXPECT_LT(result.states, 60'000U);
}

// A line of vertices; from each of them another line branches off that only the search without reduction looks at.
class Comb final : public core::TransitionSystem {
 public:
  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
  std::size_t fixed_length() const override { return 2; }
  std::size_t first_half() const override { return 1; }
  std::vector<std::uint32_t> initial(Scratch&) const override { return {0, 0}; }
  void successors(core::State state, core::Reduction reduction, Scratch&, core::SuccessorSink& sink) const override {
    const auto go = [&](std::uint32_t choice, std::uint32_t along, std::uint32_t aside) {
      const std::vector<std::uint32_t> next{along, aside};
      sink.successor({.state = next, .move = {core::Move::Kind::Step, 0, choice}, .cost = {}});
    };
    if (state[1] == 0) go(0, state[0] + 1, 0);
    if (state[1] != 0 || reduction == core::Reduction::None) go(1, state[0], state[1] + 1);
  }
  bool has_state_errors() const override { return false; }
  std::uint32_t state_error(core::State, Scratch&) const override { return 0; }
  std::string error_text(std::uint32_t) const override { return ""; }
  std::string error_kind(std::uint32_t) const override { return ""; }
  bool proper_end(core::State, Scratch&) const override { return false; }
  bool holds(std::uint32_t along, core::State state, Scratch&, std::uint32_t&) const override {
    return state[0] == along;
  }
  bool accepting(core::State, Scratch&) const override { return false; }
  std::string show(core::State, Scratch&) const override { return ""; }
  std::vector<std::string> bounds_reached() const override { return {}; }
  std::uint64_t bytes() const override { return 0; }
};

// The trace that is left when a limit ends the search for a shortest one does not pass for a shortest one.
TEST_P(Workers, TellAShortestTraceFromAnother) {
  for (const bool limited : {false, true}) {
    core::Budget budget;
    if (limited) budget.max_states = 5'000;
    explore::SearchOptions options{.reduction = core::Reduction::Safety, .workers = GetParam()};
    options.goals.push_back({.proposition = 400, .forbidden_when = true});
    const auto result = explore::search_with_trace(Comb(), options, budget);
    ASSERT_TRUE(result.found);
    EXPECT_EQ(result.found->best, !limited);
    EXPECT_EQ(result.found->moves.size(), 400U);
  }
}

// However small the levels are.
TEST_P(Workers, EndWhenTheBudgetDoesOnAnEndlessLine) {
  core::Budget budget;
  budget.max_states = 5'000;
  const auto result = explore::search(Comb(), {.reduction = core::Reduction::Safety, .workers = GetParam()}, budget);
  EXPECT_TRUE(result.stopped);
  EXPECT_LT(result.states, 10'000U);
}

// Whether the clock was looked at or not: the limit does not wait for the next look at it.
TEST(Search, KeepsALimitOfStatesToTheState) {
  for (const auto order : {explore::SearchOrder::Breadth, explore::SearchOrder::Depth, explore::SearchOrder::Cost}) {
    for (const std::uint64_t most : {1U, 3U, 17U, 100U}) {
      core::Budget budget;
      budget.max_states = most;
      const auto result = explore::search(Comb(), {.order = order, .reduction = core::Reduction::Safety}, budget);
      ASSERT_TRUE(result.stopped);
      EXPECT_EQ(result.stopped->kind, core::Reason::Kind::StateLimit);
      EXPECT_GE(result.states, most);
      EXPECT_LE(result.states, most + 2);  // the last state that was expanded may have had several successors
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Search, Workers, testing::Values(1U, 2U, 3U, 8U));

}  // namespace
