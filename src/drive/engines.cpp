// SPDX-License-Identifier: Apache-2.0
#include "drive/buffers_engine.h"
#include "drive/cubes_engine.h"
#include "drive/drf_engine.h"
#include "drive/engine.h"
#include "drive/explicit_engine.h"
#include "drive/graph_engine.h"
#include "drive/ltl_engine.h"
#include "graph/check.h"

namespace heddle::drive {

namespace {

// Most programs that graphs are good at have fewer executions than this, and these take a second or two. Barriers,
// semaphores and pools of threads have few executions, each in many steps, and few states.
constexpr std::uint64_t first_executions = 200'000, first_steps = 150'000, first_states = 500'000;
// Symbolic states: a search that ends does so early.
constexpr std::uint64_t first_symbolic = 20'000;

constexpr Engine table[] = {
    {"graph", graph_refuses, run_graph, first_executions, first_steps, graph_forecast_after, false, false, nullptr,
     graph::is_own_assumption},
    {"explicit", explicit_refuses, run_explicit, first_states},
    {"drf", drf_refuses, run_drf, first_states, 0, nullptr, true, true, drf_applies},
    {"buffers", buffers_refuses, run_buffers, first_symbolic, 0, nullptr, true},
    {"ltl", ltl_refuses, run_ltl},
    {"cubes", cubes_refuses, run_cubes},
};

}  // namespace

std::span<const Engine> engines() { return table; }

const Engine* find_engine(std::string_view name) {
  for (const Engine& engine : table)
    if (engine.name == name) return &engine;
  return nullptr;
}

}  // namespace heddle::drive
