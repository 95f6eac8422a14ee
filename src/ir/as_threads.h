// An ir program as threads that answer requests (core/program.h), for engines that take only these.
//
// A process chooses one of its edges, evaluates its guard and then its effects, and requests each access to shared
// memory as it meets it; a guard that does not hold blocks that choice for good, since engines over requests try every
// answer to a load. Each assertion of a control state is a choice of its own, which ends the process.
//
// What an edge does is one atomic step (docs/models.md). Where memory has no buffers its accesses are joined to one
// locked step; so are those of an edge whose stores are all atomic, between two fences. Elsewhere a step reads memory
// once at most, and before it stores: then its accesses need not be joined, because nobody can tell when a store entered
// its buffer.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "core/program.h"
#include "ir/program.h"

namespace heddle::ir {

class AsThreads final : public core::Program {
 public:
  // What the program has that threads cannot express: a clause whose subject is the program, with the place.
  // `buffers`: does the memory model have any?
  static std::optional<std::string> refuse(const ir::Program&, bool buffers);
  // The first process that can come back to a control state; null if none can.
  static const Process* first_cyclic(const ir::Program&);

  // Requires !refuse(program, buffers).
  AsThreads(ir::Program program, bool buffers);

  core::Features features() const override { return {}; }
  std::span<const core::GlobalObject> globals() const override { return globals_; }
  std::vector<Entry> initial_threads() const override;
  void start(std::uint32_t entry, core::Value arg, core::Tid self, core::Local&, core::Shadow*) const override;
  core::Request request(core::ConstLocal) const override;
  void resume(core::Local&, const core::Answer&, core::Shadow*) const override;
  void defer(core::Local&) const override;
  void deliver(core::Local&, core::Slot, const core::Answer&) const override;
  std::unique_ptr<core::Shadow> make_shadow() const override { return nullptr; }
  std::unique_ptr<core::Shadow> copy_shadow(const core::Shadow&) const override { return nullptr; }
  core::Deps deps(core::ConstLocal, const core::Shadow&) const override { return {}; }
  void visit_pointers(core::Local&, const std::function<void(core::Value&)>&) const override {}

  core::Failure failure(core::ConstLocal) const override;
  core::SourcePlace place(core::Site) const override;
  std::string location_name(const core::Loc&, core::ConstLocal) const override;
  std::string thread_name(std::uint32_t entry) const override { return program_.processes[entry].name; }
  std::vector<core::SourcePlace> stack(core::ConstLocal) const override;
  std::vector<std::string> notes() const override { return program_.remarks; }

 private:
  struct Access;
  struct Played;
  class Port;
  class Frame;
  Played play(const Frame&) const;
  void run_to_request(core::Local&) const;
  std::uint32_t options(std::uint32_t process, std::uint32_t state) const;
  const ControlState& state_of(const Frame&) const;
  bool locked(const Edge&) const;
  core::Loc loc_of(std::uint32_t cell) const;

  ir::Program program_;
  bool buffers_;
  std::vector<core::GlobalObject> globals_;
  std::vector<std::uint32_t> object_of_;  // variable -> its object; 0 if it is no memory
  std::vector<std::uint32_t> cell_of_;    // object - 1 -> its first cell
};

}  // namespace heddle::ir
