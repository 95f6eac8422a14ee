// Places of an ir program that can be strengthened, and what a run that goes wrong says about them.
//
// A store to a shared variable can be made atomic (Havel, section 3.2): it goes to memory at once. A transition can be
// given a fence: it waits until the process's buffer is empty. A transition with stores can be followed by a sync, a
// step of its own that waits for an empty buffer. All of these only remove runs, unless not_monotone() says otherwise:
// an atomic store is a store whose flush follows at once, and a run with syncs is one without them, seen without those
// steps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/reason.h"
#include "core/trace.h"
#include "ir/program.h"
#include "repair/synthesis.h"

namespace heddle::repair {

struct IrPlace {
  std::uint32_t edge = 0;        // in Program::edges
  std::uint32_t var = ir::none;  // its stores to this variable become atomic; none: a fence or a sync
  std::string name;   // as a file of --atomic has it: "pos P_0.2", "fence P_0.2"; by text: "sync behind store(x, 1)"
  bool sync = false;  // a sync behind it
  std::vector<std::uint32_t> copies = {};  // by text: the edges of other processes that the same text makes
};

struct IrPlaceKinds {
  bool atomic = true, fence = false, sync = false;
  bool by_text = false;  // what one place of the source makes is one place, however many processes run it
};

// All that are not strengthened yet, in the order of the text. Fences: of processes that store. Syncs: behind steps
// whose stores are buffered.
std::vector<IrPlace> ir_places(const ir::Program&, const IrPlaceKinds& = {});

// The program with these of the places strengthened; finished.
ir::Program strengthened(const ir::Program&, const std::vector<IrPlace>&, const Elements&);

// Why strengthening may do more than remove violations, in one sentence: a repair that is found is then correct, but
// need not be a cheapest. `atoms`: propositions of a formula; none for an invariant, which a state alone decides.
std::optional<std::string> not_monotone(const ir::Program&, const std::vector<IrPlace>&,
                                        const std::vector<std::uint32_t>& atoms, bool uses_next);

// The same for syncs: may the condition be true (or, if `value` says so, false) because a process is not in a control
// state? While it waits at a sync it is not yet in the state behind.
bool asks_for_absence(const ir::Program&, ir::ExprId condition, bool value);

// A run that goes wrong: moves to something forbidden, or a lasso.
struct WrongRun {
  std::vector<core::Move> moves, loop;
};

// What a search says of a program.
struct IrAnswer {
  Answer::Kind kind = Answer::Kind::Unknown;
  core::Reason reason;  // Unknown
  WrongRun run;         // Unsafe
};

struct IrRepair {
  const ir::Program& program;
  const std::vector<IrPlace>& places;
  std::string model;
  unsigned buffer_bound;
  std::function<IrAnswer(const ir::Program&)> search;
  // Does the run go wrong in this program, by replay? A run that is not possible does not.
  std::function<bool(const ir::Program&, const WrongRun&)> goes_wrong;
  // Told of each constraint, with the run that goes wrong although all other places are strengthened. May be empty.
  std::function<void(const Elements& constraint, const ir::Program&, const WrongRun&)> shown = {};
};

// Checks one candidate and grows its counterexample by replay: places are strengthened one by one as long as the same
// run, without the flushes that an atomic store makes void, still goes through and still goes wrong. Each way through
// the places (forwards and backwards) gives a constraint: those that could not be strengthened.
Answer check_candidate(const IrRepair&, const Elements& candidate);

}  // namespace heddle::repair
