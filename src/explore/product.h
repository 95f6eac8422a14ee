// Program × machine = TransitionSystem, for programs whose threads are automata (core::Program).
//
// A state vector: a head, then for each thread the number of its local state and, unless all buffers are empty, of
// its buffer, and for each dynamic object and each global that can change the number of its chunk; last, if data
// races are looked for, two numbers of clocks and accesses (explore/races.h). Tree compression
// (support/state_store.h) stores little beside the roots if what changes is spread over both halves of a vector, and
// almost a second root per state if it lies in one. So half of the threads stand in front of memory and half behind
// it, and the later half of the globals, which are mostly a library's and seldom change, stand in front of all: they
// keep the others in the right half, however many dynamic objects there are. That is for the first hundred thousand
// states; from what it has seen of them the breadth-first search learns better trees (support/tree_learner.h).
// Dynamic objects are named canonically, in the order in which a walk from globals, threads and buffers meets them;
// what nothing points to is dropped (and noted as a leak if it was never freed).
//
// A step is one visible request of a thread and everything after it that no other thread can notice: allocation, spawn,
// join of an ended thread, fences that have nothing to wait for, accesses to constants and to objects that only this
// thread can reach, everything that it does while all others have ended, and the requests joined to it. With
// Reduction::Safety also stores that go into the buffer and loads that are put off and that no own buffered store could
// answer: both change nothing but the thread's own buffer, commute with all steps of others and of memory, and cannot
// repeat for ever, since the buffer fills. So on every cycle some state has a visible step, and nothing is ignored.
//
// With conditions (core/condition.h) the system is for infinite runs: accesses to what they read are visible also where
// no other thread could notice, so that the intermediate states of a step differ from its last one in nothing that a
// condition tells; the memory of a program that has ended stays; a step into a failed assumption is withheld.
// Hot; bench/explore_bench watches it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "core/condition.h"
#include "core/transition_system.h"
#include "explore/objects.h"
#include "explore/thread_table.h"
#include "memory/machine.h"
#include "support/interner.h"

namespace heddle::explore {

struct ProductOptions {
  unsigned buffer_bound = 5;
  bool spurious_cas = false;
  bool leaks = true;
  bool deadlocks = false;     // a cycle of threads that wait for each other's locks is an error, whatever others do
  bool races = false;         // happens-before becomes a part of the state, and a data race an error
  bool seq_cst_only = false;  // … and only accesses that are seq_cst count as atomic (explore/races.h)
  bool costs = false;         // without reduction: a load past a pending store, which has a cost, begins a step
  const core::Conditions* conditions = nullptr;  // propositions, by their numbers; null: none
  bool single_steps = false;                     // with conditions: each request is a step (for formulas with X)
};

class Product final : public core::TransitionSystem {
 public:
  static std::optional<std::string> refuse(const core::Program&, const memory::Machine&);

  // Requires !refuse(program, machine). The program must outlive the product.
  Product(const core::Program&, const memory::Machine&, const ProductOptions&);
  ~Product() override;

  std::unique_ptr<Scratch> make_scratch() const override;
  std::size_t fixed_length() const override { return 0; }
  std::vector<std::uint32_t> initial(Scratch&) const override;
  void successors(core::State, core::Reduction, Scratch&, core::SuccessorSink&) const override;
  bool has_state_errors() const override { return false; }
  std::uint32_t state_error(core::State, Scratch&) const override { return 0; }
  std::string error_text(std::uint32_t error) const override;
  std::string error_kind(std::uint32_t error) const override;
  bool proper_end(core::State, Scratch&) const override;
  bool assumption_failed(core::State, Scratch&) const;
  bool holds(std::uint32_t proposition, core::State, Scratch&, std::uint32_t& error) const override;
  void view(core::State, std::span<const std::uint32_t> propositions, Scratch&, core::View&) const override;
  // With conditions there is one set of memory fairness per thread: again and again its buffer is empty or its oldest
  // entry leaves. That is to say that no entry stays for ever: new ones come behind it, so each becomes the oldest.
  std::uint32_t threads() const override { return options_.conditions != nullptr ? most_threads : 0; }
  std::uint32_t memory_sets() const override {
    return options_.conditions != nullptr && machine_.has_buffers() ? most_threads : 0;
  }
  bool accepting(core::State, Scratch&) const override { return false; }
  std::string show(core::State, Scratch&) const override;
  std::vector<std::string> bounds_reached() const override;
  bool met_addresses() const { return threads_.names_matter(); }  // so far, some thread used an address as a number
  bool met_weak_cas() const { return weak_cas_.load(); }          // … came to a weak compare-exchange
  std::uint64_t bytes() const override;

  // The moves of a path from the initial state, taken apart: one move for each single request, as check/ replays them.
  // `choice` is then the answer to a Choose, and 1 for a compare-exchange that fails spuriously and for a wait in vain.
  std::vector<core::Move> single_moves(const std::vector<core::Move>& path, core::Reduction) const;

  // A move from a state in words: thread and statement. For drawings.
  std::string move_text(core::State, const core::Move&, Scratch&) const override;

  struct World;  // a decoded state (explore/world.h)

 private:
  static constexpr std::uint32_t most_threads = 64;  // with conditions; a program with more is refused when it has them
  struct Work;
  class Step;
  class Reader;
  friend class Step;

  void decode(core::State, Work&) const;
  void encode(World&, Work&, std::vector<std::uint32_t>& slots) const;
  // The globals that can change, in two halves.
  std::span<const std::uint32_t> early_globals() const {
    return objects_.variables().first((objects_.variables().size() + 1) / 2);
  }
  std::span<const std::uint32_t> late_globals() const { return objects_.variables().subspan(early_globals().size()); }
  std::uint32_t number_of(const memory::Buffer&) const;
  void buffer_of(std::uint32_t number, memory::Buffer&) const;
  std::uint32_t error_number(const core::Failure&) const;
  core::Truth truth(std::uint32_t proposition, Work&, std::uint32_t& error) const;

  const core::Program& program_;
  const memory::Machine& machine_;
  const ProductOptions options_;
  mutable ThreadTable threads_;
  mutable Objects objects_;
  mutable support::Interner buffers_;
  mutable support::Interner clocks_;  // of Races, if they are looked for
  mutable std::atomic<bool> buffer_bound_reached_{false};
  mutable std::atomic<bool> weak_cas_{false};
  mutable std::atomic<bool> load_bound_reached_{false};
  mutable std::mutex errors_mutex_;
  mutable std::vector<core::Failure> errors_;
};

}  // namespace heddle::explore
