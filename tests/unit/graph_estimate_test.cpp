// The estimate of the number of executions: random ways down the search tree, whose average is the number itself.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "graph/check.h"
#include "graph/sampler.h"
#include "support/graph_programs.h"
#include "support/unjudged.h"

namespace heddle::graph {
namespace {

using test::MiniProgram;

template <class Make>
void check_average(const char* model, bool symmetry, Make make) {
  MiniProgram p;
  make(p);
  Options o;
  o.model = model;
  o.symmetry = symmetry;
  core::Budget budget;
  const auto v = test::unjudged(check(p, o, budget));
  Names names(p);
  const axioms::Model& axioms = *axioms::find_model(model);
  Tables tables(p, names, axioms.needs_deps);
  const auto consistency = make_consistency(axioms, tables);
  Sampler sampler(p, names, tables, *consistency, axioms, o);
  std::mt19937_64 random(7);
  double sum = 0;
  constexpr int samples = 20000;
  for (int i = 0; i < samples; ++i) sum += sampler.sample({}, random);
  const auto exact = static_cast<double>(*v.statistics.executions + *v.statistics.blocked);
  EXPECT_NEAR(sum / samples, exact, exact * 0.1) << model;
}

TEST(GraphEstimate, SamplesAreRightOnAverage) {
  for (const char* model : {"sc", "tso", "ra", "rc11"})
    for (const bool symmetry : {false, true}) {
      check_average(model, symmetry, test::store_buffering);
      check_average(model, symmetry, test::iriw);
      check_average(model, symmetry, [](MiniProgram& p) { test::counting(p, 2, 2); });
      check_average(model, symmetry, [](MiniProgram& p) { test::counting(p, 3, 1); });
      check_average(model, symmetry, [](MiniProgram& p) { test::lastzero(p, 4); });
    }
}

}  // namespace
}  // namespace heddle::graph
