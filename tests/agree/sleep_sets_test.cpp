// Sleep sets leave out transitions, not states: the search of Linden and Wolper with and without them, on random programs.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <random>
#include <set>
#include <tuple>

#include "buffers/linden_wolper.h"
#include "support/random_promela.h"
#include "support/unbounded.h"

namespace heddle {
namespace {

using namespace tests;

// All contents of a few stores with which some state is reached, with its memory and control states.
using Contents = std::vector<std::pair<std::uint32_t, std::int32_t>>;
using Reached = std::set<std::tuple<buffers::Memory, std::vector<std::uint32_t>, std::vector<Contents>>>;

Reached reached_by(const buffers::LindenWolperAnswer& answer, std::size_t longest) {
  Reached all;
  for (const auto& state : answer.states) {
    std::vector<std::vector<Contents>> combinations{{}};
    for (const buffers::Dfa& d : state.languages) {
      std::vector<Contents> words;
      std::vector<std::pair<std::uint32_t, Contents>> todo{{0, {}}};
      while (!todo.empty()) {
        const auto [at, word] = todo.back();
        todo.pop_back();
        if (d.accepting[at]) words.push_back(word);
        if (word.size() == longest) continue;
        for (const buffers::Arc& arc : d.of(at)) {
          Contents longer = word;
          longer.emplace_back(answer.stores[arc.symbol / 2].cell, answer.stores[arc.symbol / 2].value);
          todo.emplace_back(arc.target, std::move(longer));
        }
      }
      std::vector<std::vector<Contents>> more;
      for (const auto& begun : combinations)
        for (const Contents& word : words) {
          more.push_back(begun);
          more.back().push_back(word);
        }
      combinations = std::move(more);
    }
    for (auto& contents : combinations) all.emplace(state.memory, state.control, std::move(contents));
  }
  return all;
}

// Is it compared? Not where a search does not end: the accelerated cycles are those of single processes.
bool compare(const Protocol& program, std::size_t longest, unsigned& fewer) {
  const Loaded l = load(program);
  buffers::Question question;
  question.errors = false;
  EXPECT_EQ(buffers::refuse_linden_wolper(l.model.program, question), std::nullopt) << program.text;
  core::Budget budget;
  budget.max_states = 60;
  const auto with = buffers::linden_wolper(l.model.program, question, {true, true}, budget);
  if (!with.complete) return false;
  const auto without = buffers::linden_wolper(l.model.program, question, {false, true}, budget);
  if (!without.complete) return false;
  fewer += with.transitions < without.transitions;
  EXPECT_EQ(reached_by(with, longest), reached_by(without, longest)) << program.text;
  return true;
}

void compare_random(unsigned processes, unsigned programs, unsigned places, std::size_t longest, unsigned seed) {
  std::mt19937 random(seed);
  unsigned compared = 0, fewer = 0;
  for (unsigned n = 0; n < programs; ++n)
    compared += compare(random_program(random, processes, {.places = places, .section = "d_step"}), longest, fewer);
  std::printf("%u processes: %u of %u compared, in %u of them sleep sets left out transitions\n", processes, compared,
              programs, fewer);
  EXPECT_GT(compared, programs / 5);
  EXPECT_GT(fewer, compared / 4);
}

TEST(SleepSets, TwoProcesses) { compare_random(2, 400, 2, 2, 1); }
TEST(SleepSets, ThreeProcesses) { compare_random(3, 600, 1, 1, 2); }

}  // namespace
}  // namespace heddle
