// TransitionSystem: all that the explicit-state engine sees. Program × memory model, whatever they are.
//
// A state is a vector of 32-bit slots; what a slot means (packed variables, the number of an interned chunk) is the
// system's affair, except that equal vectors are equal states. Its length may vary from state to state (a system with
// a fixed length says so). Neighbouring slots should change together: the state store compresses them as a tree.
//
// All functions may be called from several threads at once; what they need to scribble on lives in a Scratch, one a
// thread. successors() is the hot path: it allocates nothing once its Scratch is warm.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "core/cost.h"
#include "core/trace.h"

namespace heddle::core {

using State = std::span<const std::uint32_t>;

struct Successor {
  State state;  // valid during the call only; empty if `error` and the system has no state for it
  Move move;
  Cost cost;
  std::uint32_t error = 0;  // 0: none. Otherwise the step went wrong, and error_text() says how
  static constexpr std::uint32_t no_set = 0xffffffff;
  std::uint32_t memory_set = no_set;  // set of memory fairness that the step fulfils: a flush of that buffer
};

class SuccessorSink {
 public:
  virtual ~SuccessorSink() = default;
  virtual void successor(const Successor&) = 0;
  // No further successor of this state is of interest: a system may stop here, where it costs time to go on.
  virtual bool enough() const { return false; }
  // The thread has a step that a bound of the system, not the model, withholds.
  virtual void withheld(std::uint32_t thread) { static_cast<void>(thread); }
};

// What a state shows of itself to a search for infinite runs.
struct View {
  std::vector<std::uint64_t> truth;  // of the propositions asked for: bit i is the i-th
  std::vector<std::uint64_t> fair;   // sets of memory fairness that every step from here fulfils
  bool accepting = false;
  bool held = false;        // inside an atomic section that goes on: no observer looks at this state
  std::uint32_t error = 0;  // of evaluating a proposition
};

enum class Reduction : std::uint8_t {
  None,
  Safety  // a persistent set that preserves the propositions and errors asked for, and deadlocks. Does not depend on
          // the order of exploration: the same state always has the same reduced successors.
};

class TransitionSystem {
 public:
  class Scratch {
   public:
    virtual ~Scratch() = default;
  };

  virtual ~TransitionSystem() = default;
  virtual std::unique_ptr<Scratch> make_scratch() const = 0;
  virtual std::size_t fixed_length() const = 0;  // number of slots of every state, or 0 if it varies
  // Of a fixed length: how many slots make the first half of the store's tree, so that both halves have about as many
  // different values; 0: half of them.
  virtual std::size_t first_half() const { return 0; }

  virtual std::vector<std::uint32_t> initial(Scratch&) const = 0;
  virtual void successors(State, Reduction, Scratch&, SuccessorSink&) const = 0;

  // Errors that a state has by itself (an assertion of a control state), 0 if none. Called once per state.
  virtual bool has_state_errors() const = 0;
  virtual std::uint32_t state_error(State, Scratch&) const = 0;
  virtual std::string error_text(std::uint32_t error) const = 0;
  virtual std::string error_kind(std::uint32_t error) const = 0;

  virtual bool proper_end(State, Scratch&) const = 0;  // a state without successors that is no deadlock
  // A proposition whose evaluation goes wrong (a division by zero, an index out of range) is an error of the state:
  // `error` is then its number, and the answer has no meaning.
  virtual bool holds(std::uint32_t proposition, State, Scratch&, std::uint32_t& error) const = 0;
  virtual bool accepting(State, Scratch&) const = 0;   // Büchi acceptance of a property process
  virtual bool has_sections() const { return false; }  // View::held may be set

  // Fairness of infinite runs, as acceptance: a run is fair if it takes steps of every set again and again.
  // Memory fairness (no buffered store is delayed for ever) has memory_sets() sets: a step fulfils those of its source
  // state (View::fair: nothing waits there) and Successor::memory_set. Fairness of threads is left to the search, which
  // knows the threads of a step; threads() is their number, or 0 if it varies from state to state.
  virtual std::uint32_t threads() const { return 0; }
  virtual std::uint32_t memory_sets() const { return 0; }
  // Truth of the propositions, sets fulfilled and acceptance in one call. Resizes the vectors as needed.
  virtual void view(State state, std::span<const std::uint32_t> propositions, Scratch& scratch, View& out) const {
    out.truth.assign((propositions.size() + 63) / 64, 0);
    out.fair.assign((memory_sets() + 63) / 64, 0);
    out.error = 0;
    for (std::size_t i = 0; i < propositions.size() && out.error == 0; ++i)
      if (holds(propositions[i], state, scratch, out.error)) out.truth[i / 64] |= std::uint64_t{1} << (i % 64);
    out.accepting = accepting(state, scratch);
  }

  virtual std::string show(State, Scratch&) const = 0;  // one line for people: DOT nodes, --trace of states
  virtual std::string move_text(State, const Move&, Scratch&) const { return {}; }  // who does what, for people

  // Bounds that have been reached so far ("buffer 5"), for the verdict. Thread-safe.
  virtual std::vector<std::string> bounds_reached() const = 0;
  virtual std::uint64_t bytes() const = 0;  // of the system's own tables (interned chunks)
};

}  // namespace heddle::core
