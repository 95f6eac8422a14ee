// Searches for accepting components by one and several workers, on explicit random graphs of many shapes: against the
// closure of the arcs where graphs are small, and against each other where they are large. Lassos are followed arc by arc.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <thread>
#include <vector>

#include "explore/component_sets.h"
#include "explore/ltl.h"

using namespace heddle;

namespace {

constexpr std::uint32_t no_set = core::Successor::no_set;

// States are numbers from 0, the initial one, on; steps fulfil at most one of the sets, and so do states.
struct Graph final : core::TransitionSystem {
  struct Arc {
    std::uint32_t to, set;
  };
  std::vector<std::vector<Arc>> arcs;
  std::vector<std::uint32_t> state_set;
  std::vector<std::uint32_t> errors;  // by state
  std::uint32_t sets = 1;

  std::unique_ptr<Scratch> make_scratch() const override { return std::make_unique<Scratch>(); }
  std::size_t fixed_length() const override { return 2; }
  std::vector<std::uint32_t> initial(Scratch&) const override { return {0, 7}; }
  void successors(core::State state, core::Reduction, Scratch&, core::SuccessorSink& sink) const override {
    for (std::uint32_t i = 0; i < arcs[state[0]].size(); ++i) {
      const Arc& arc = arcs[state[0]][i];
      const std::uint32_t slots[] = {arc.to, 7};
      core::Successor successor{slots, {core::Move::Kind::Step, 0, i}, {}};
      successor.memory_set = arc.set;
      sink.successor(successor);
    }
  }
  bool has_state_errors() const override { return !errors.empty(); }
  std::uint32_t state_error(core::State state, Scratch&) const override { return errors[state[0]]; }
  std::string error_text(std::uint32_t) const override { return {}; }
  std::string error_kind(std::uint32_t) const override { return {}; }
  bool proper_end(core::State, Scratch&) const override { return true; }
  bool holds(std::uint32_t, core::State, Scratch&, std::uint32_t&) const override { return true; }
  bool accepting(core::State, Scratch&) const override { return true; }
  std::uint32_t memory_sets() const override { return sets; }
  void view(core::State state, std::span<const std::uint32_t>, Scratch&, core::View& out) const override {
    out = {.truth = {}, .fair = std::vector<std::uint64_t>((sets + 63) / 64), .accepting = true};
    if (const std::uint32_t set = state_set[state[0]]; set != no_set)
      out.fair[set / 64] |= std::uint64_t{1} << set % 64;
  }
  std::string show(core::State, Scratch&) const override { return {}; }
  std::vector<std::string> bounds_reached() const override { return {}; }
  std::uint64_t bytes() const override { return 0; }
};

struct Shape {
  std::uint32_t states, sets;
  double degree;       // arcs per state
  std::uint32_t near;  // arcs lead at most so far back, and any way forward …
  double back;         // … with this share of them leading back
  double marked;       // share of states and arcs that fulfil a set
};

Graph random_graph(std::mt19937& random, const Shape& shape) {
  const auto chance = [&](double share) { return static_cast<double>(random() % 1000) < share * 1000; };
  Graph graph;
  graph.sets = shape.sets;
  graph.arcs.resize(shape.states);
  for (std::uint32_t from = 0; from < shape.states; ++from) {
    graph.state_set.push_back(chance(shape.marked) ? static_cast<std::uint32_t>(random() % shape.sets) : no_set);
    const auto add = [&](std::uint32_t to) {
      graph.arcs[from].push_back(
          {to, chance(shape.marked) ? static_cast<std::uint32_t>(random() % shape.sets) : no_set});
    };
    if (from + 1 < shape.states && chance(0.95)) add(from + 1);
    while (chance(shape.degree / (1 + shape.degree))) {
      if (chance(shape.back)) add(from - static_cast<std::uint32_t>(random()) % std::min(from + 1, shape.near));
      else add(from + static_cast<std::uint32_t>(random()) % (shape.states - from));
    }
  }
  return graph;
}

// By the closure of the arcs.
bool accepts(const Graph& graph) {
  const std::size_t n = graph.arcs.size();
  std::vector<std::vector<bool>> reaches(n, std::vector<bool>(n));
  for (std::size_t i = 0; i < n; ++i)
    for (const auto& arc : graph.arcs[i]) reaches[i][arc.to] = true;
  for (std::size_t k = 0; k < n; ++k)
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; reaches[i][k] && j < n; ++j)
        if (reaches[k][j]) reaches[i][j] = true;
  for (std::size_t i = 0; i < n; ++i) {
    if ((i != 0 && !reaches[0][i]) || !reaches[i][i]) continue;
    std::vector<bool> fulfilled(graph.sets);
    const auto fulfil = [&](std::uint32_t set) {
      if (set != no_set) fulfilled[set] = true;
    };
    for (std::size_t j = 0; j < n; ++j) {
      if (!reaches[i][j] || !reaches[j][i]) continue;
      fulfil(graph.state_set[j]);
      for (const auto& arc : graph.arcs[j])
        if (reaches[arc.to][i]) fulfil(arc.set);
    }
    if (std::ranges::all_of(fulfilled, [](bool b) { return b; })) return true;
  }
  return false;
}

// One worker looks for arcs that need not be followed from so many on.
explore::LtlResult search(const Graph& graph, unsigned workers, std::uint64_t purge_from = 0) {
  core::Budget budget;
  return explore::find_violation(graph, {.workers = workers, .purge_from = purge_from}, budget);
}

// The lasso is a run of the graph that closes and fulfils all sets.
void follow(const Graph& graph, const explore::Lasso& lasso) {
  std::uint32_t at = 0;
  for (const core::Move& move : lasso.stem) at = graph.arcs[at].at(move.choice).to;
  const std::uint32_t start = at;
  std::vector<bool> fulfilled(graph.sets);
  ASSERT_FALSE(lasso.loop.empty());
  for (const core::Move& move : lasso.loop) {
    const Graph::Arc& arc = graph.arcs[at].at(move.choice);
    for (const std::uint32_t set : {graph.state_set[at], arc.set})
      if (set != no_set) fulfilled[set] = true;
    at = arc.to;
  }
  EXPECT_EQ(at, start);
  EXPECT_TRUE(std::ranges::all_of(fulfilled, [](bool b) { return b; }));
}

TEST(LtlWorkers, small_graphs_against_the_closure) {
  std::mt19937 random(5);
  int accepted = 0, empty = 0;
  for (int i = 0; i < 400; ++i) {
    const Graph graph = random_graph(random, {.states = 2 + static_cast<std::uint32_t>(random() % 40),
                                              .sets = 1 + static_cast<std::uint32_t>(random() % 5),
                                              .degree = 0.2 + static_cast<double>(random() % 20) / 10,
                                              .near = 1 + static_cast<std::uint32_t>(random() % 12),
                                              .back = 0.4,
                                              .marked = static_cast<double>(random() % 4) / 8});
    const bool expected = accepts(graph);
    (expected ? accepted : empty)++;
    const auto alone = search(graph, 1, 1'000'000);
    for (const unsigned workers : {1U, 2U, 4U}) {
      SCOPED_TRACE(testing::Message() << "graph " << i << ", workers " << workers);
      const auto result = search(graph, workers);
      ASSERT_EQ(result.lasso.has_value(), expected);
      if (result.lasso) {
        follow(graph, *result.lasso);
        continue;
      }
      EXPECT_EQ(result.states, alone.states);
      EXPECT_EQ(result.transitions, alone.transitions);
      EXPECT_EQ(result.components, alone.components);
    }
  }
  EXPECT_GT(accepted, 50);
  EXPECT_GT(empty, 50);
}

// Nothing is accepted (one set has no member), so that all workers go through everything: one large component, many of
// all sizes, none but single states.
TEST(LtlWorkers, large_graphs_have_the_same_components) {
  std::mt19937 random(8);
  const Shape shapes[] = {{20'000, 2, 1.5, 100'000, 0.5, 0.1},
                          {20'000, 3, 1.0, 30, 0.3, 0.1},
                          {20'000, 63, 1.5, 30, 0.3, 0.3},
                          {20'000, 70, 1.2, 5, 0.1, 0.3},
                          {20'000, 1, 2.0, 1, 0.0, 0.1}};
  for (const Shape& shape : shapes) {
    Graph graph = random_graph(random, shape);
    ++graph.sets;
    const auto alone = search(graph, 1, 1'000'000);
    ASSERT_FALSE(alone.lasso);
    for (const unsigned workers : {1U, 2U, 3U, 4U, 40U}) {
      SCOPED_TRACE(testing::Message() << shape.back << ", workers " << workers);
      const auto result = search(graph, workers, 1);
      EXPECT_FALSE(result.lasso);
      EXPECT_EQ(result.states, alone.states);
      EXPECT_EQ(result.transitions, alone.transitions);
      EXPECT_EQ(result.components, alone.components);
    }
  }
}

// Each set is fulfilled by a single arc of a large component: workers have to put together what each of them has found.
TEST(LtlWorkers, marks_of_several_workers_are_gathered) {
  std::mt19937 random(13);
  for (int i = 0; i < 20; ++i) {
    Graph graph =
        random_graph(random, {.states = 2'000, .sets = 12, .degree = 1.5, .near = 10'000, .back = 0.5, .marked = 0});
    graph.arcs.back().push_back({0, no_set});
    for (std::uint32_t from = 0; from + 1 < graph.arcs.size(); ++from) graph.arcs[from].push_back({from + 1, no_set});
    for (std::uint32_t set = 0; set < 12; ++set) graph.arcs[random() % graph.arcs.size()].back().set = set;
    bool missing = false;
    std::vector<bool> there(12);
    for (const auto& arcs : graph.arcs)
      for (const auto& arc : arcs)
        if (arc.set != no_set) there[arc.set] = true;
    for (const bool b : there) missing |= !b;
    for (const unsigned workers : {1U, 2U, 4U}) {
      const auto result = search(graph, workers);
      ASSERT_EQ(result.lasso.has_value(), !missing);
      if (result.lasso) follow(graph, *result.lasso);
    }
  }
}

TEST(LtlWorkers, an_error_is_reported_with_a_way_to_it) {
  std::mt19937 random(21);
  for (int i = 0; i < 30; ++i) {
    Graph graph = random_graph(random, {.states = 300, .sets = 1, .degree = 1, .near = 10, .back = 0.3, .marked = 0});
    graph.errors.resize(graph.arcs.size());
    graph.errors[random() % graph.errors.size()] = 3;
    const bool expected = search(graph, 1).error.has_value();
    const auto result = search(graph, 3);
    ASSERT_EQ(result.error.has_value(), expected);
    if (!expected) continue;
    EXPECT_EQ(result.error->error, 3U);
    std::uint32_t at = 0;
    for (const core::Move& move : result.error->moves) at = graph.arcs[at].at(move.choice).to;
    EXPECT_EQ(graph.errors[at], 3U);
  }
}

TEST(LtlWorkers, a_limit_ends_all_workers) {
  std::mt19937 random(34);
  Graph graph = random_graph(random, {.states = 20'000, .sets = 1, .degree = 1, .near = 30, .back = 0.3, .marked = 0});
  core::Budget budget;
  budget.max_states = 1000;
  const auto result = explore::find_violation(graph, {.workers = 3}, budget);
  ASSERT_TRUE(result.stopped);
  EXPECT_EQ(result.stopped->kind, core::Reason::Kind::StateLimit);
  EXPECT_LT(result.states, graph.arcs.size());
}

TEST(LtlWorkers, one_worker_keeps_a_limit_of_states_to_the_state) {
  std::mt19937 random(34);
  Graph graph = random_graph(random, {.states = 20'000, .sets = 1, .degree = 1, .near = 30, .back = 0.3, .marked = 0});
  for (const std::uint64_t most : {1U, 10U, 99U}) {
    core::Budget budget;
    budget.max_states = most;
    const auto result = explore::find_violation(graph, {}, budget);
    ASSERT_TRUE(result.stopped);
    EXPECT_EQ(result.states, most);
  }
}

// The sets by themselves: several threads unite the same random pairs in different orders.
TEST(ComponentSets, unions_of_several_threads) {
  constexpr std::uint32_t states = 5000;
  std::mt19937 random(55);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::uint32_t i = 0; i < 4000; ++i)
    pairs.emplace_back(static_cast<std::uint32_t>(random()) % states, static_cast<std::uint32_t>(random()) % states);
  std::vector<std::uint32_t> group(states);  // by relabelling the smaller group
  std::vector<std::vector<std::uint32_t>> members(states);
  for (std::uint32_t i = 0; i < states; ++i) members[group[i] = i].push_back(i);
  for (const auto& [a, b] : pairs) {
    std::uint32_t into = group[a], from = group[b];
    if (into == from) continue;
    if (members[into].size() < members[from].size()) std::swap(into, from);
    for (const std::uint32_t m : members[from]) members[group[m] = into].push_back(m);
    members[from].clear();
  }
  explore::ComponentSets sets(0);
  for (std::uint32_t i = 0; i < states; ++i) sets.reserve(i);
  {
    std::vector<std::jthread> threads;
    for (unsigned t = 0; t < 4; ++t)
      threads.emplace_back([&, t] {
        for (std::uint32_t i = t; i < states; i += 2)
          sets.claim(i, t);  // even states by two threads, odd ones by the others
        for (std::size_t i = 0; i < pairs.size(); ++i) {
          const auto& [a, b] = pairs[(i * (2 * t + 1) + t * 1000) % pairs.size()];
          sets.unite(a, b);
          if (i % 8 == 0) sets.pick(a, t);
        }
      });
  }
  for (const auto& [a, b] : pairs) ASSERT_TRUE(sets.same(a, b));
  for (int i = 0; i < 20'000; ++i) {
    const auto a = static_cast<std::uint32_t>(random()) % states, b = static_cast<std::uint32_t>(random()) % states;
    ASSERT_EQ(sets.same(a, b), group[a] == group[b]);
  }
  // The list of each set has all of its states: finishing them one by one completes it, and nothing earlier does.
  for (const auto& set : members) {
    for (std::size_t left = set.size(); left > 0; --left) {
      const auto picked = sets.pick(set.front(), static_cast<unsigned>(left % 3));
      ASSERT_TRUE(picked.state);
      ASSERT_EQ(group[*picked.state], group[set.front()]);
      ASSERT_NE(sets.look(*picked.state, 0), explore::ComponentSets::Claim::Complete);
      sets.finish(*picked.state);
    }
    if (set.empty()) continue;
    EXPECT_TRUE(sets.pick(set.front(), 0).completed);
    EXPECT_EQ(sets.look(set.back(), 0), explore::ComponentSets::Claim::Complete);
  }
}

}  // namespace
