// The interpreter's working state: one run of one thread, from a request to the next. Private to interpreter*.cpp.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "vm/arithmetic.h"
#include "vm/interpreter.h"
#include "vm/private_memory.h"

namespace heddle::vm {

constexpr std::uint64_t check_interval = 4096;  // backward jumps and calls between two looks for endless loops

// S: keep dependencies in the shadow.
template <bool S>
class Runner {
 public:
  Runner(const Module& module, core::Local& local, LoadShadow* shadow, std::uint64_t max_jumps)
      : module_(module), local_(local), shadow_(shadow), max_jumps_(max_jumps) {}

  void run();

 private:
  enum class Next : std::uint8_t { Go, Stop };

  void enter() {
    base_ = local_.data();
    at_ = header(base_).top;
    auto& frame = frame_at(base_, at_);
    function_ = &module_.functions[frame.function];
    regs_ = words(base_) + at_ + frame_header_words;
    marks_ = marks_at(regs_ + function_->registers);
    constants_ = function_->constants.data();
    ip_ = function_->code.data() + frame.pc;
  }
  void save() { frame_at(base_, at_).pc = static_cast<std::uint32_t>(ip_ - function_->code.data()); }

  Cell get(Operand o) const {
    if (o & constant_operand) return constants_[o & 0x7fff];
    return {regs_[o], marks_[o]};
  }
  void set(Operand o, Cell c) {
    regs_[o] = c.bits;
    marks_[o] = c.mark;
  }
  Next stop() {
    save();
    return Next::Stop;
  }
  Next stop(Fault fault) {
    save();
    fail(local_, fault);
    return Next::Stop;
  }
  // A register under way: rest here, with everything dead cleared so that equal futures look equal.
  Next wait() {
    save();
    if (!function_->live.empty()) {
      const auto pc = static_cast<std::size_t>(ip_ - function_->code.data());
      const auto* live = function_->live.data() + pc * function_->live_words;
      for (std::uint32_t r = 0; r < function_->registers; ++r)
        if (!((live[r / 64] >> (r % 64)) & 1) && !(marks_[r] & pending_mark)) set(static_cast<Operand>(r), {});
    }
    return Next::Stop;
  }
  Next put(Operand o, const Outcome& r) {
    if (r.fault != Fault::None) return stop(r.fault);
    if (r.leaked) header(base_).names_matter |= names_used;
    set(o, r.cell);
    ++ip_;
    return Next::Go;
  }

  void note_addresses(const Outcome& r, Cell a, Cell b) {
    if (r.leaked || (r.low_bits != 0 && !function_->library))
      header(base_).names_matter |= addresses_used(module_, base_, r, a, b);
  }

  // Dependencies.
  LoadBits& deps(Operand r) {
    const auto at = at_ + frame_header_words + r;
    if (shadow_->words.size() <= at) shadow_->words.resize(at + 1);
    return shadow_->words[at];
  }
  void depend(Operand dst, std::initializer_list<Operand> from) {
    if constexpr (S) {
      LoadBits all;
      for (auto o : from)
        if (!(o & constant_operand)) all.join(deps(o));
      deps(dst) = std::move(all);
    } else {
      (void)dst, (void)from;
    }
  }
  // What these depend on decides dst (vm/shadow.h).
  void pick(Operand dst, std::initializer_list<Operand> from) {
    depend(dst, from);
    if constexpr (S) deps(dst) = deps(dst).as_odd();
  }
  LoadBits of_result(const Insn&, const Cell& a, const Cell& b, const Cell& c, LoadBits all);
  void control(Operand o) {
    if constexpr (S) {
      if (!(o & constant_operand)) shadow_->control.join(deps(o));
    } else {
      (void)o;
    }
  }

  // The access at this address is no request.
  void access_at(Operand o) {
    if constexpr (S) {
      if (o & constant_operand) return;
      shadow_->addresses.join(deps(o));
      shadow_->control.join(deps(o).odd());
    } else {
      (void)o;
    }
  }
  LoadBits value_deps(Operand o) { return (o & constant_operand) ? LoadBits{} : deps(o); }

  bool loops();
  bool last_of_the_program() const;
  Next call(std::uint32_t callee);
  Next ret();
  Next load(const Insn&);
  Next load_constant(const Insn&, const core::GlobalObject&, std::uint32_t offset);
  Next store(const Insn&);
  Next slow_binary(const Insn&, Cell, Cell);
  Next private_rmw(const Insn&, const PrivateView&, Cell address);
  Next rare(const Insn&);
  Next jump_out(const Insn&);
  Next unwind(const Insn&);
  void leave_frames_above(std::uint32_t target);

  const Module& module_;
  core::Local& local_;
  LoadShadow* shadow_;
  std::uint64_t max_jumps_;
  std::uint64_t jumps_ = 0, next_snapshot_ = check_interval;
  core::Local snapshot_;
  std::byte* base_ = nullptr;
  std::uint32_t at_ = 0;
  const Function* function_ = nullptr;
  std::uint64_t* regs_ = nullptr;
  Mark* marks_ = nullptr;
  const Cell* constants_ = nullptr;
  const Insn* ip_ = nullptr;
};

}  // namespace heddle::vm
