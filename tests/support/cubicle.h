// What the tests of array-based systems share.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "check/cubicle_explore.h"
#include "drive/cubes_engine.h"
#include "lang/cubicle/parser.h"
#include "support/places.h"

namespace heddle::test {

inline constexpr const char* example_systems[] = {
    "naive_mutex_unfenced", "naive_mutex", "lamport_fast_unfenced", "lamport_fast", "spinlock", "sense_barrier",
    "arbiter_v1",           "arbiter_v2",  "two_phase_commit",      "peterson"};

inline support::Result<cubicle::System> example(const std::string& file) {
  return cubicle::parse_file(tests::source_dir() + "/examples/" + file + ".cub");
}

inline core::Verdict decide(const cubicle::System& system, const std::string& model, drive::CubesOptions options = {},
                            double seconds = 60) {
  core::Budget budget;
  budget.seconds = seconds;
  budget.start();
  options.certify = true;
  return drive::decide_cubes(system, *models::find(model), options, budget);
}

inline core::Verdict decide_text(const std::string& text, const std::string& model) {
  const auto system = cubicle::parse(text, "test.cub");
  if (!system) {
    ADD_FAILURE() << support::render(system.error());
    return {};
  }
  return decide(*system, model);
}

inline std::string name(const core::Verdict& v) {
  if (v.outcome == core::Outcome::Safe) return v.bounds.empty() ? "safe" : "safe up to";
  return v.outcome == core::Outcome::Unsafe ? "unsafe" : "unknown: " + v.reason.text;
}

// UNSAFE in an instance of 2 or 3 processes implies UNSAFE here, so SAFE here implies SAFE there.
inline void expect_instances_agree(const cubicle::System& system, const core::Verdict& verdict, std::size_t limit) {
  for (unsigned n = std::max(2U, system.concrete); n <= std::max(3U, system.concrete); ++n) {
    if (system.number_procs != 0 && n > system.number_procs) break;
    const check::CubicleMachine machine(system, verdict.model, n, 2);
    const check::CubicleExploration seen = check::explore(machine, limit);
    if (seen.unsafe) {
      EXPECT_EQ(name(verdict), "unsafe") << system.file << " under " << verdict.model << ": unsafe with " << n
                                         << " processes";
    }
  }
}

}  // namespace heddle::test
