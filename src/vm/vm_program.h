// VmProgram: a bytecode module as a core::Program, for every engine.
//
// Hot: start() and resume(). They work in place on the bytes of the local state and allocate only where the stack
// grows beyond the vector's capacity. Watched by bench/vm_bench.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <set>
#include <string>

#include "core/program.h"
#include "vm/bytecode.h"
#include "vm/shadow.h"

namespace heddle::vm {

struct VmOptions {
  std::uint64_t max_jumps = 10'000'000;  // backward jumps and calls without a request before a thread is given up
};

class VmProgram final : public core::Program {
 public:
  explicit VmProgram(Module module, VmOptions options = {});

  core::Features features() const override;
  std::span<const core::GlobalObject> globals() const override { return module_.globals; }
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
  bool names_matter(core::ConstLocal) const override;
  std::vector<std::string> assumptions() const override;
  std::vector<std::string> bounds() const override { return module_.bounds; }
  core::Failure failure(core::ConstLocal) const override;
  core::SourcePlace place(core::Site) const override;
  std::string location_name(const core::Loc&, core::ConstLocal) const override;
  std::string thread_name(std::uint32_t entry) const override;
  std::vector<core::SourcePlace> stack(core::ConstLocal) const override;
  std::vector<std::string> notes() const override;
  core::Awaited awaited(core::ConstLocal) const override;

  const Module& module() const { return module_; }
  // Puts another instruction in the place of one: of a kind for which every local state stays one of the program.
  void rewrite(std::uint32_t function, std::uint32_t pc, const Insn& insn) {
    module_.functions[function].code[pc] = insn;
  }

 private:
  // A string: a constant of the program, or one in the thread's own private memory.
  std::string text_at(const Cell&, core::ConstLocal) const;
  std::string cxx_name(core::ConstLocal, core::Site call) const;
  std::string subject_of_call(const core::Loc&, const std::byte* base) const;
  std::string part_name(std::uint32_t type, std::uint32_t offset, std::uint32_t size) const;
  // Is this place of the function in the library? The program's code may be inlined into the library's templates.
  bool is_library(const Function& f, std::uint32_t pc) const {
    return f.sites[pc] < module_.sites.size() ? module_.sites[f.sites[pc]].library : f.library;
  }

  Module module_;
  VmOptions options_;
};

}  // namespace heddle::vm
