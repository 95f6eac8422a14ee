// Backward search over cubes (param/) as a row of the table of engines: any number of processes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "drive/engine.h"

namespace heddle::drive {

std::optional<core::Reason> cubes_refuses(const Subject&, const models::Model&, const Task&);
core::Finding run_cubes(const Subject&, const models::Model&, const Task&, core::Budget&);

struct CubesOptions {
  unsigned workers = 1;
  unsigned brab = 0;     // processes of the instance that guesses come from; 0: no guessing
  bool certify = false;  // check a proof by check/, and keep its text
};

// Under pso the number of writes that are overtaken at once is bounded; the bound is raised while that is cheap, and
// part of the finding where it stays in the way. Where the search has no answer, small instances are tried.
core::Finding search_cubes(const cubicle::System&, const models::Model&, const CubesOptions&, core::Budget&);

// The same with what it has found replayed.
core::Verdict decide_cubes(const cubicle::System&, const models::Model&, const CubesOptions&, core::Budget&);

// What every verdict on the system should say of how it was read.
std::vector<std::string> remarks_on(const cubicle::System&);

}  // namespace heddle::drive
