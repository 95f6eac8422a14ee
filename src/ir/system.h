// ir::Program × memory machine = TransitionSystem.
//
// A state vector is the packed flat array (ir/layout.h), in which under machines with buffers each process has a slot
// for the number of its buffer's contents. Under sc there are no buffers and steps work on the unpacked array directly.
//
// Refusals (refuse()) come before anything runs: `system sync` and property processes only under sc; machines that
// defer loads not at all (a transition needs the values that it loads at once). Hot: successors(); bench/explore_bench
// watches it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/transition_system.h"
#include "ir/buffered_port.h"
#include "ir/layout.h"
#include "ir/memory_sets.h"
#include "ir/program.h"
#include "ir/reduction.h"
#include "ir/steps.h"
#include "memory/machine.h"
#include "support/interner.h"

namespace heddle::ir {

struct SystemOptions {
  unsigned buffer_bound = 5;
  std::vector<std::uint32_t> visible;  // propositions that the search asks about: the reduction preserves them
  bool assertions = true;              // … and the assertions
  bool ended_runs_stutter = false;     // where the others can do nothing any more, the property process goes on alone
};

class System final : public core::TransitionSystem {
 public:
  // Why this program cannot be run under this machine, if so: one sentence.
  static std::optional<std::string> refuse(const Program&, const memory::Machine&);

  // Requires !refuse(program, machine). The program must outlive the system.
  System(const Program&, const memory::Machine&, const SystemOptions&);

  std::unique_ptr<Scratch> make_scratch() const override;
  std::size_t fixed_length() const override { return slots_; }
  std::size_t first_half() const override { return layout_.first_half(); }
  std::vector<std::uint32_t> initial(Scratch&) const override;
  void successors(core::State, core::Reduction, Scratch&, core::SuccessorSink&) const override;
  bool has_state_errors() const override { return program_.has_assertions && options_.assertions; }
  std::uint32_t state_error(core::State, Scratch&) const override;
  std::string error_text(std::uint32_t error) const override;
  std::string error_kind(std::uint32_t error) const override;
  bool proper_end(core::State, Scratch&) const override;
  bool holds(std::uint32_t proposition, core::State, Scratch&, std::uint32_t& error) const override;
  bool accepting(core::State, Scratch&) const override;
  bool has_sections() const override { return program_.holder != none; }
  std::uint32_t threads() const override { return static_cast<std::uint32_t>(program_.processes.size()); }
  std::uint32_t memory_sets() const override { return memory_sets_.count(); }
  void view(core::State, std::span<const std::uint32_t> propositions, Scratch&, core::View&) const override;
  std::string show(core::State, Scratch&) const override;
  // "P_0: asked -> waiting { effect turn = 1; }"
  std::string move_text(core::State, const core::Move&, Scratch&) const override;
  std::vector<std::string> bounds_reached() const override;
  std::uint64_t bytes() const override { return contents_.bytes(); }

  const Program& program() const { return program_; }

 private:
  struct Work;
  void unpack(core::State, Work&) const;
  template <class Port>
  void step_all(core::State, Port&, Steps<Port>&, core::Reduction, Work&, core::SuccessorSink&) const;
  template <class Port>
  bool step_process(core::State, Port&, Steps<Port>&, std::uint32_t process, Work&, core::SuccessorSink&) const;
  template <class Port>
  void emit(core::State, Port&, const StepOf<typename Port::Mark>&, Work&, core::SuccessorSink&,
            std::uint32_t memory_set = core::Successor::no_set) const;
  bool may_move_alone(const Work&, std::uint32_t process, std::int32_t control) const;
  bool waits(const memory::Buffer&, unsigned index) const;
  void flush_all(core::State, Work&, core::SuccessorSink&) const;
  std::uint32_t number_of(const memory::Buffer&, Work&) const;

  const Program& program_;
  const memory::Machine& machine_;
  const SystemOptions options_;
  const bool buffered_;
  const bool reducible_;  // the machine has declared what the reduction relies on
  Layout layout_;
  Ample ample_;
  MemorySets memory_sets_;
  std::uint32_t slots_;
  mutable support::Interner contents_;  // of buffers
  mutable std::atomic<bool> bound_reached_{false};
  mutable std::atomic<bool> process_bound_reached_{false};
};

}  // namespace heddle::ir
