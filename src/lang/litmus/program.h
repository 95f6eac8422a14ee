// A litmus test as a core::Program: one register automaton per thread, with dependencies.
//
// Local state: the next operation, how many backward jumps were taken (counted only where an unrolling bound is set),
// and per register nine bytes, value and marks. Thread i has entry i; variable i is object i + 1.
//
// A pick dependency of a register (code.h) becomes a control dependency where the register is used: of the store whose
// value it is (and, through memory, of the stores of what the thread loads there next), of the access whose address it is
// and all that follows, of all that follows a branch that it decides.
// That is how armv8 orders them (pick-ordered-before: to writes, and through an ISB). What a compare-exchange compares
// with is such a dependency of its write. In C, its result has one on its read, and so has what it leaves in `expected`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <memory>

#include "axioms/relation.h"
#include "core/program.h"
#include "lang/litmus/test.h"

namespace heddle::lang::litmus {

class LitmusProgram final : public core::Program {
 public:
  // `unroll`: a thread that takes more backward jumps than this is Blocked; 0: no bound. The test must outlive this.
  explicit LitmusProgram(const Test&, unsigned unroll = 0);

  core::Features features() const override;
  // RVWMO has dependencies through the success register of a store-conditional; elsewhere it is no value that was read.
  bool success_counts() const { return test_.dialect == Dialect::RISCV; }
  std::span<const core::GlobalObject> globals() const override { return globals_; }
  std::vector<Entry> initial_threads() const override;
  void start(std::uint32_t entry, core::Value arg, core::Tid self, core::Local&,
             core::Shadow* = nullptr) const override;
  core::Request request(core::ConstLocal) const override;
  void resume(core::Local&, const core::Answer&, core::Shadow* = nullptr) const override;
  void defer(core::Local&) const override;
  void deliver(core::Local&, core::Slot, const core::Answer&) const override;
  std::unique_ptr<core::Shadow> make_shadow() const override;
  std::unique_ptr<core::Shadow> copy_shadow(const core::Shadow&) const override;
  core::Deps deps(core::ConstLocal, const core::Shadow&) const override;
  void visit_pointers(core::Local&, const std::function<void(core::Value&)>&) const override;
  core::Failure failure(core::ConstLocal) const override;
  core::SourcePlace place(core::Site) const override;
  std::string location_name(const core::Loc&, core::ConstLocal) const override;
  std::string thread_name(std::uint32_t entry) const override;
  std::vector<core::SourcePlace> stack(core::ConstLocal) const override;

  // The final value of a thread's register.
  core::Value register_value(core::ConstLocal, Register) const;
  // Some thread reached the unrolling bound in some run so far.
  bool met_bound() const { return met_bound_.load(); }
  // … asked for an access that is not a multiple of its size away from its variable.
  bool met_misaligned() const { return met_misaligned_.load(); }
  static std::uint32_t thread_of(core::ConstLocal);

 private:
  class Frame;
  class Dependencies;
  void run(Frame&, Dependencies*) const;
  bool depend(const Frame&, const Op&, bool wrote, Dependencies&) const;

  const Test& test_;
  unsigned unroll_;
  bool mixed_ = false;
  std::vector<core::GlobalObject> globals_;
  std::vector<core::Site> first_site_;  // of a thread: sites are numbered thread by thread
  mutable std::atomic<bool> met_bound_ = false, met_misaligned_ = false;
};

}  // namespace heddle::lang::litmus
