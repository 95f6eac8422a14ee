// The states from which one step leads into a cube: section 4 of Conchon, Declerck and Zaïdi, with ghb kept as rows.
//
// A step puts a transition of some process i in front of what the cube describes. Its weak reads and writes become
// events that precede, in program order, all events of i so far, and, in coherence order, all writes to the same cells
// so far (the exploration follows coherence; that this loses nothing is argued below). Then, for every pending read of
// a cell that the step writes,
//   internal   the reader is i: it reads this write (no ghb edge),
//   external   another process reads: it reads this write (write → read in ghb), or an older one (read → write, fr).
// Reads of one event decide together, as both edges at once are a cycle. New edges and their closure are an update of
// rows (cube.h); a cycle or inconsistent data drop the result at once.
//
// Why exploring in coherence order is enough where W→W is kept (sc, tso): po ∪ rf ∪ co is acyclic in every valid
// execution, since a path leaves a process only from a write and enters it at a write or a read, and both R→W and W→W
// are in ghb; so some order of the steps respects all three. Where W→W is not kept (pso), a write w of p may reach
// memory after a write of another process to the same cell that was made later. Then w becomes a *promise*: it reaches
// memory right after (in the exploration: right before) that other write is added, and its own transition follows
// further in front. Until then p may not pass a fence or a locked event, reads w's value from its own buffer, and may
// write none of w's cells otherwise. Three facts keep promises rare. A write that nobody reads from memory can as well
// reach memory when it is issued: that only adds edges which others imply. It must be overtaken by a foreign write, and
// steps between the two can be moved out of the way. And p itself must have made another write in between that overtook
// w (`passed`): the paths from w to the foreign write that forbid the ordinary order leave p by a later write that ghb
// does not put after w, for all other paths are in ghb themselves. Cells that one process alone writes never need
// promises.
//
// Over-approximations, all of which make more states look dangerous, never fewer: a universal guard is checked for the
// processes of the cube only; writes to cells of processes outside the cube leave no trace in rows.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <functional>

#include "array/cube.h"
#include "array/memory_model.h"
#include "array/system.h"

namespace heddle::array {

// What was put in front. Processes are those of the cube before the step, new ones numbered after them.
struct Step {
  std::uint16_t transition = 0;
  std::array<Process, 8> parameters{};
  std::array<Process, 32> moved{};  // where each process went in the result; no_process: not mentioned any more
};

// Turns the constraints of a result into the literals of its cube. False drops the result: only where they have no
// model.
using Simplify = bool (*)(Cube&, const System&, const std::vector<Constraint>&);

struct PreimageOptions {
  // Leave out results that only add constraints to the cube, which it subsumes: nothing it mentions changes, no read is
  // satisfied.
  bool skip_idle = true;
  unsigned promises = 1;                 // at most so many at once, up to 8 …
  std::atomic<bool>* bounded = nullptr;  // … set if that left something out
  Simplify simplify = normalise;         // a checker brings its own
};

// Calls `found` for each cube of the pre-image. Throws OutOfRange where a table is too small.
void preimage(const System&, const MemoryModel&, const Cube&, const PreimageOptions&,
              const std::function<void(Cube&&, const Step&)>& found);

// The cubes of an unsafe or invariant block.
std::vector<Cube> bad_cubes(const System&, const MemoryModel&, const Bad&, Simplify = normalise);

}  // namespace heddle::array
