// What to check on a program's execution graphs, and how.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "core/execution_witness.h"
#include "core/program.h"
#include "core/property.h"

namespace heddle::graph {

// A complete execution, for those who ask: valid during the call only.
struct Completed {
  std::vector<std::pair<core::Tid, core::ConstLocal>> threads;  // their last local states, by number
  std::vector<std::pair<core::Loc, core::Value>> memory;        // the coherence-latest values
  core::ExecutionWitness witness;
};

// What was found wrong with an execution.
struct Violation {
  std::string kind, message;      // one word, one sentence
  core::Tid thread = 0xffffffff;  // that failed, if one did
};

struct Properties {
  bool assertions = true;  // failures that threads find by themselves, and memory errors they are told of
  bool deadlock = false;   // all threads wait, some for a lock or the like
  bool races = false;      // plain accesses unordered by happens-before (rc11, ra)
  bool liveness = false;   // a spin loop that reads only latest values and still spins
  bool robust = false;     // every execution is one of sc, too
  bool leaks = false;      // heap objects that nobody freed at the end
};

struct Options {
  std::string model = "sc";
  Properties properties;
  unsigned workers = 1;
  std::uint32_t loop_bound = 0;  // executions of one place by one thread; 0: no bound
  bool compiled = true;          // accesses are C11's: the model sees what compilers emit for them (axioms/mapping.h)
  bool spurious_cas = false;     // a weak compare-exchange may fail although the values are equal
  bool symmetry = false;         // one execution per symmetry class (graph/symmetry.h); not with load buffering
  bool private_objects = false;  // cost no events (graph/private_objects.h); not with a loop bound or on_complete
  bool count_all = false;        // go on after a violation
  bool promise_to_all = false;   // debugging: as if nothing were known of them (graph/{elder,lost}_promises.h)
  bool hash_executions = false;  // debugging: remember every complete execution and count duplicates
  // Is this an execution of the program, and does it show this? Where private objects cost no events, a violation is
  // looked for again with all events unless this knows it at once.
  std::function<bool(const core::ExecutionWitness&, const core::Claim&)> confirms;
  std::function<void(const Completed&)> on_complete;
  // What on_complete was told so far is void: an access cut the locations it was found with, or a promise is new
  // (graph/promises.h), and all is explored again.
  std::function<void()> on_restart;
};

}  // namespace heddle::graph
