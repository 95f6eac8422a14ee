// All candidate executions of a small program, for litmus tests and as an oracle for other engines.
//
// A candidate is a path through every thread, a source for every read, and a coherence order for every location, such
// that values agree, every location by itself is sequentially consistent, and read-modify-writes are atomic. Each is
// visited exactly once; the visitor decides which of them a model accepts.
//
// How: the values that each location can ever hold are a least fixed point (threads run with any of the known values
// for every read, their writes give new values). A value that only exists because of itself is not found; no model of
// axioms/models.h has such executions, since all forbid cycles of dependencies and rf. Then one run of each thread is
// combined with one of every other, and for each location sources and the orders that coherence leaves open are listed.
//
// Requires threads that are there from the start and objects that are globals; anything else is refused by name.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "axioms/models.h"
#include "core/budget.h"
#include "core/evidence.h"
#include "core/program.h"

namespace heddle::axioms {

// How a candidate ends.
class FinalState {
 public:
  const core::Local& local(std::size_t thread) const { return *locals_[thread]; }
  bool failed(std::size_t thread) const { return failed_[thread]; }  // the thread ended by a failure
  std::size_t threads() const { return locals_.size(); }
  // What memory holds there; a pointer only where it was written as a whole.
  core::Value memory(const core::Loc&) const;

 private:
  friend class CandidateSearch;
  template <unsigned W>
  friend class Combination;
  struct Cell {
    core::Loc loc;
    core::Value value;
  };
  std::vector<const core::Local*> locals_;
  std::vector<char> failed_;
  std::vector<Cell> cells_;
  const core::Program* program_ = nullptr;
};

class CandidateVisitor {
 public:
  virtual ~CandidateVisitor() = default;
  // The execution is complete and derived. False ends the search.
  virtual bool candidate(const Execution<1>&, const FinalState&) = 0;
  virtual bool candidate(const Execution<4>&, const FinalState&) = 0;
  virtual bool candidate(const Execution<16>&, const FinalState&) = 0;
};

struct CandidateOptions {
  Hardware hardware = Hardware::None;  // the program's accesses are C11's: take what is emitted for them
  bool dependencies = true;            // fill addr, data, ctrl
  bool spurious_failures = false;      // a weak compare-exchange may fail although the values are equal
  bool store_conditional_may_fail = true;
  std::size_t max_runs = 200'000;  // of a thread
  core::Drops* drops = nullptr;    // records what is left out
};

struct CandidateReport {
  std::uint64_t candidates = 0;
  bool blocked = false;      // some run of a thread was blocked and left out (an unrolling bound, an assume)
  bool ended_early = false;  // the visitor said so
  core::Reason refusal;      // if there is one, nothing can be said
};

CandidateReport enumerate_candidates(const core::Program&, const CandidateOptions&, CandidateVisitor&,
                                     core::Budget* = nullptr);

}  // namespace heddle::axioms
