// Backward reachability: from the unsafe cubes, through pre-images, to a fixed point or an initial state.
//
// Cubes wait in a queue, fewest processes and literals first. A cube that a visited one subsumes is dropped; visited
// cubes that a new one subsumes are deleted. The result does not depend on `workers`: they compute pre-images of a
// batch of cubes, whose results are taken in the batch's order.
//
// With a `possible` oracle, invariants are guessed (BRAB: Conchon, Goel, Krstić, Mebsout, Zaïdi, FMCAD 2013): a part of
// a cube that the oracle has never seen in a finite instance is put in the cube's place and must be proved unreachable
// like the unsafe cubes themselves. If it turns out to be reachable, the guess is thrown away and the search starts
// again.
//
// Where universal guards were over-approximated, a path to an initial state may be no real run; `confirm` says so, and
// the search then goes on and can no longer answer Safe.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "array/cube.h"
#include "array/memory_model.h"
#include "array/preimage.h"
#include "core/budget.h"
#include "core/evidence.h"

namespace heddle::param {

// One transition of a run, with its parameters as processes of the run.
struct RunStep {
  std::uint16_t transition = 0;
  std::vector<array::Process> parameters;
};

struct Run {
  unsigned processes = 0;
  std::vector<RunStep> steps;  // in the order of the exploration: it respects program order, rf and, but for pso, co
  std::size_t unsafe = 0;      // the block that is met
  std::vector<std::pair<array::Process, array::Process>> order;  // the first must come before the second (p < q)
};

struct SearchOptions {
  unsigned workers = 1;
  unsigned promises = 1;                             // models without write_write: overtaken writes at once
  std::function<bool(const array::Cube&)> possible;  // BRAB's oracle; empty: no guessing
  std::function<bool(const Run&)> confirm;           // whether the run is real; empty: it is
  core::Drops* drops = nullptr;                      // where to note what is left out
};

struct SearchResult {
  enum class Answer : std::uint8_t { Safe, Unsafe, Unknown };
  Answer answer = Answer::Unknown;
  core::Reason reason;                 // Unknown
  bool open = false;                   // Unknown not for want of time or memory: single instances may still tell more
  bool bounded = false;                // Safe only up to `promises` overtaken writes at once
  std::vector<array::Cube> invariant;  // Safe: no state of any of these is reachable, and none leads into them
  std::optional<Run> run;              // Unsafe; Unknown: a run that was not confirmed, if there was one
  std::uint64_t visited = 0, generated = 0, deleted = 0, guesses = 0, kept_guesses = 0, restarts = 0;
  unsigned most_processes = 0;
};

SearchResult search(const array::System&, const array::MemoryModel&, const SearchOptions&, core::Budget&);

}  // namespace heddle::param
