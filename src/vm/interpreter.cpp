// SPDX-License-Identifier: Apache-2.0
#include "vm/interpreter.h"

#include <algorithm>
#include <cstring>

#include "vm/arithmetic.h"
#include "vm/private_memory.h"

namespace heddle::vm {
namespace {

constexpr std::uint64_t check_interval = 4096;

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
    if (r.leaked) header(base_).names_matter = 1;
    set(o, r.cell);
    ++ip_;
    return Next::Go;
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
  void control(Operand o) {
    if constexpr (S) {
      if (!(o & constant_operand)) shadow_->control.join(deps(o));
    } else {
      (void)o;
    }
  }

  bool loops();
  Next call(std::uint32_t callee);
  Next ret();
  Next load(const Insn&);
  Next load_constant(const Insn&, const core::GlobalObject&, std::uint32_t offset);
  Next store(const Insn&);
  Next slow_binary(const Insn&, Cell, Cell);
  Next private_rmw(const Insn&, const PrivateView&, Cell address);
  Next rare(const Insn&);
  Next jump_out(const Insn&);

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

// Brent's cycle detection on the whole local state, looked at every check_interval jumps.
template <bool S>
bool Runner<S>::loops() {
  save();
  if (jumps_ >= max_jumps_) {
    fail(local_, Fault::Endless);
    return true;
  }
  if (!snapshot_.empty() && snapshot_ == local_) {
    fail(local_, Fault::InfiniteLoop);
    return true;
  }
  if (jumps_ >= next_snapshot_) {
    snapshot_ = local_;
    next_snapshot_ = jumps_ * 2;
  }
  return false;
}

template <bool S>
typename Runner<S>::Next Runner<S>::call(std::uint32_t callee) {
  const Insn& i = *ip_;
  const auto& lists = function_->lists;
  const std::size_t args_at = i.imm + 1, args = lists[i.imm];
  const std::size_t defs_at = args_at + args, clears_at = defs_at + 1 + lists[defs_at];
  for (std::size_t k = 0; k < args; ++k)
    if (get(lists[args_at + k]).mark & pending_mark) return wait();
  for (std::size_t k = 0; k < lists[defs_at]; ++k)
    if (marks_[lists[defs_at + 1 + k]] & pending_mark) return wait();
  const Function& f = module_.functions[callee];
  const auto given = static_cast<std::uint32_t>(args);
  const auto fixed = static_cast<std::uint32_t>(f.params.size());
  if (!f.defined) return stop(Fault::BadCall);
  if (given < fixed) return stop(Fault::BadSignature);
  const std::uint32_t extra = f.variadic ? given - fixed : 0;
  const auto need = local_.size() / 8 + f.frame_words + private_words(extra * 8);
  if (need > max_local_words || extra > 0xffff) return stop(Fault::StackTooDeep);
  save();
  const auto caller = at_;
  const Function& from = *function_;
  const auto callee_at = push_frame(module_, local_, callee, extra);
  base_ = local_.data();
  regs_ = words(base_) + caller + frame_header_words;
  marks_ = marks_at(regs_ + from.registers);
  auto* target = words(base_) + callee_at + frame_header_words;
  auto* target_marks = marks_at(target + f.registers);
  if constexpr (S) shadow_->words.resize(local_.size() / 8);
  for (std::uint32_t k = 0; k < fixed; ++k) {
    const auto o = lists[args_at + k];
    const Cell c = get(o);
    target[f.params[k]] = c.bits;
    target_marks[f.params[k]] = c.mark;
    if constexpr (S)
      if (!(o & constant_operand)) shadow_->words[callee_at + frame_header_words + f.params[k]] = shadow_->words[caller + frame_header_words + o];
  }
  if (extra != 0) {
    auto* block = words(base_) + callee_at + f.frame_words + 1;
    auto* block_marks = marks_at(block + extra);
    for (std::uint32_t k = 0; k < extra; ++k) {
      const auto o = lists[args_at + fixed + k];
      const Cell c = get(o);
      block[k] = c.bits;
      block_marks[k] = c.mark;
      if constexpr (S)
        if (!(o & constant_operand)) shadow_->words[callee_at + f.frame_words + 1 + k] = shadow_->words[caller + frame_header_words + o];
    }
  }
  for (std::size_t k = 0; k < lists[clears_at]; ++k) {
    const auto r = lists[clears_at + 1 + k];
    if (!(marks_[r] & pending_mark)) set(r, {});
  }
  if (f.atomic) ++header(base_).atomic_depth;
  enter();
  return ++jumps_ % check_interval == 0 && loops() ? Next::Stop : Next::Go;
}

template <bool S>
typename Runner<S>::Next Runner<S>::ret() {
  auto& frame = frame_at(base_, at_);
  if (frame.dynamic != 0) return stop();  // their Free is the request
  const Operand* list = function_->lists.data() + ip_->imm;
  const std::size_t count = *list++;
  for (std::size_t k = 0; k < count; ++k)
    if (get(list[k]).mark & pending_mark) return wait();
  if (module_.pending_loads)
    for (std::uint32_t r = 0; r < function_->registers; ++r)
      if (marks_[r] & pending_mark) return wait();
  Cell values[16];
  LoadBits value_deps[S ? 16 : 1];
  if (count > 16) return stop(Fault::BadSignature);
  for (std::size_t k = 0; k < count; ++k) {
    values[k] = get(list[k]);
    if constexpr (S)
      if (!(list[k] & constant_operand)) value_deps[k] = deps(list[k]);
  }
  auto& head = header(base_);
  if (function_->atomic && --head.atomic_depth == 0) head.in_step = 0;
  const auto previous = frame.previous;
  if (previous == 0) {
    head.status = Status::Ending;
    head.atomic_depth = 0;
    head.in_step = 0;
    local_.resize(std::size_t{at_} * 8);
    return Next::Stop;
  }
  head.top = previous;
  local_.resize(std::size_t{at_} * 8);
  if constexpr (S) shadow_->words.resize(at_);
  enter();
  const Operand* defs = function_->lists.data() + ip_->imm;
  defs += 1 + *defs;
  const std::size_t wanted = *defs++;
  for (std::size_t k = 0; k < wanted; ++k) {
    set(defs[k], k < count ? values[k] : Cell{0, undefined_mark});
    if constexpr (S) deps(defs[k]) = k < count ? value_deps[k] : LoadBits{};
  }
  ++ip_;
  return Next::Go;
}

// What nobody can change is no shared memory.
template <bool S>
typename Runner<S>::Next Runner<S>::load_constant(const Insn& i, const core::GlobalObject& object, std::uint32_t offset) {
  const unsigned bytes = bytes_of(i.width);
  if (std::uint64_t{offset} + bytes > object.size) return stop(Fault::OutOfBounds);
  Cell c;
  std::memcpy(&c.bits, object.bytes.data() + offset, bytes);
  c.bits &= mask_of(i.width);
  if (!object.defined.empty())
    for (unsigned k = 0; k < bytes; ++k)
      if (!object.defined[offset + k]) c.mark = static_cast<Mark>(c.mark | (1u << k));
  if (!object.pointers.empty()) {
    // The words that overlap the access begin at most seven bytes before it.
    auto it = std::lower_bound(object.pointers.begin(), object.pointers.end(), offset < 7 ? 0 : offset - 7);
    if (it != object.pointers.end() && *it < offset + bytes) {
      if (*it != offset || bytes != 8) return stop(Fault::PointerPart);
      c.mark = pointer_mark;
    }
  }
  depend(i.dst, {i.a});
  set(i.dst, c);
  ++ip_;
  return Next::Go;
}

template <bool S>
typename Runner<S>::Next Runner<S>::load(const Insn& i) {
  const Cell a = get(i.a);
  if ((a.mark | marks_[i.dst]) & pending_mark) return wait();
  if (!(a.mark & private_mark)) {
    if (const Fault fault = address_fault(a); fault != Fault::None) return stop(fault);
    const auto object = upper(a.bits);
    if (object <= module_.globals.size() && module_.globals[object - 1].constant) return load_constant(i, module_.globals[object - 1], lower(a.bits));
    return stop();
  }
  const auto view = private_view(base_, local_.size() / 8, a.bits);
  const unsigned bytes = bytes_of(i.width);
  if (view.data == nullptr) return stop(Fault::DeadLocal);
  const std::uint32_t offset = lower(a.bits);
  if (std::uint64_t{offset} + bytes > view.size) return stop(Fault::OutOfBounds);
  Cell c;
  if (const Fault fault = private_load(view, offset, bytes, c); fault != Fault::None) return stop(fault);
  if (i.sub & freeze_bit) c.mark = static_cast<Mark>(c.mark & ~undefined_mark);
  c.bits &= mask_of(i.width);
  if constexpr (S) {
    LoadBits all = (i.a & constant_operand) ? LoadBits{} : deps(i.a);
    for (std::uint32_t w = offset / 8; w <= (offset + bytes - 1) / 8; ++w)
      if (view.word + w < shadow_->words.size()) all.join(shadow_->words[view.word + w]);
    deps(i.dst) = std::move(all);
  }
  set(i.dst, c);
  ++ip_;
  return Next::Go;
}

template <bool S>
typename Runner<S>::Next Runner<S>::store(const Insn& i) {
  const Cell a = get(i.a), v = get(i.b);
  if ((a.mark | v.mark) & pending_mark) return wait();
  if (!(a.mark & private_mark)) {
    const Fault fault = v.mark & private_mark ? Fault::EscapedLocal : address_fault(a);
    return fault == Fault::None ? stop() : stop(fault);
  }
  const auto view = private_view(base_, local_.size() / 8, a.bits);
  const unsigned bytes = bytes_of(i.width);
  if (view.data == nullptr) return stop(Fault::DeadLocal);
  const std::uint32_t offset = lower(a.bits);
  if (std::uint64_t{offset} + bytes > view.size) return stop(Fault::OutOfBounds);
  private_store(view, offset, bytes, v);
  if constexpr (S)
    for (std::uint32_t w = offset / 8; w <= (offset + bytes - 1) / 8; ++w) {
      if (shadow_->words.size() <= view.word + w) shadow_->words.resize(view.word + w + 1);
      auto& bits = shadow_->words[view.word + w];
      if (bytes == 8) bits.clear();
      if (!(i.b & constant_operand)) bits.join(deps(i.b));
    }
  ++ip_;
  return Next::Go;
}

template <bool S>
typename Runner<S>::Next Runner<S>::slow_binary(const Insn& i, Cell a, Cell b) {
  if ((a.mark | b.mark | marks_[i.dst]) & pending_mark) return wait();
  return put(i.dst, binary(i.op, i.width, a, b));
}

// Atomic operations on memory that nobody else can reach.
template <bool S>
typename Runner<S>::Next Runner<S>::private_rmw(const Insn& i, const PrivateView& view, Cell address) {
  const unsigned bytes = bytes_of(i.width);
  const std::uint32_t offset = lower(address.bits);
  if (view.data == nullptr) return stop(Fault::DeadLocal);
  if (std::uint64_t{offset} + bytes > view.size) return stop(Fault::OutOfBounds);
  Cell old;
  if (const Fault fault = private_load(view, offset, bytes, old); fault != Fault::None) return stop(fault);
  const Cell value = get(i.b);
  depend(i.dst, {i.a, i.b});
  if (i.op == Op::Cas) {
    const Cell expected = get(i.c);
    const auto same = binary(Op::Eq, i.width, old, expected).cell;
    if (same.mark != 0) return stop(Fault::Uninitialised);
    if (same.bits != 0) private_store(view, offset, bytes, value);
    const Operand flag = ip_[1].dst;
    set(i.dst, old);
    set(flag, {same.bits, 0});
    depend(flag, {i.dst});
    ip_ += 2;
    return Next::Go;
  }
  Outcome next{value, Fault::None, false};
  const auto math = [&](IntMath f) { return int_math(f, i.width, old, value, {}); };
  switch (static_cast<core::RmwOp>(i.imm & 0xff)) {
    case core::RmwOp::Add: next = binary(Op::Add, i.width, old, value); break;
    case core::RmwOp::Sub: next = binary(Op::Sub, i.width, old, value); break;
    case core::RmwOp::And: next = binary(Op::And, i.width, old, value); break;
    case core::RmwOp::Or: next = binary(Op::Or, i.width, old, value); break;
    case core::RmwOp::Xor: next = binary(Op::Xor, i.width, old, value); break;
    case core::RmwOp::Nand:
      next = binary(Op::And, i.width, old, value);
      next.cell.bits = ~next.cell.bits & mask_of(i.width);
      break;
    case core::RmwOp::Max: next = math(IntMath::SMax); break;
    case core::RmwOp::Min: next = math(IntMath::SMin); break;
    case core::RmwOp::UMax: next = math(IntMath::UMax); break;
    case core::RmwOp::UMin: next = math(IntMath::UMin); break;
    case core::RmwOp::FAdd: next = float_binary(Op::FAdd, i.width, old, value); break;
    case core::RmwOp::FSub: next = float_binary(Op::FSub, i.width, old, value); break;
    case core::RmwOp::FMax: next = float_math(FloatMath::MaxNum, i.width, old, value, {}); break;
    case core::RmwOp::FMin: next = float_math(FloatMath::MinNum, i.width, old, value, {}); break;
    case core::RmwOp::UIncWrap: next.cell = {old.bits >= value.bits ? 0 : old.bits + 1, old.mark}; break;
    case core::RmwOp::UDecWrap: next.cell = {old.bits == 0 || old.bits > value.bits ? value.bits : old.bits - 1, old.mark}; break;
    default: break;
  }
  private_store(view, offset, bytes, next.cell);
  set(i.dst, old);
  ++ip_;
  return Next::Go;
}

template <bool S>
typename Runner<S>::Next Runner<S>::jump_out(const Insn& i) {
  const Cell target = get(i.a), value = get(i.b);
  if ((target.mark | value.mark) & pending_mark) return wait();
  if (target.mark & undefined_mark) return stop(Fault::Uninitialised);
  const std::uint32_t to = upper(target.bits), pc = lower(target.bits);
  std::uint32_t at = at_;
  while (at != 0 && at != to) at = frame_at(base_, at).previous;
  if (at == 0) return stop(Fault::BadJump);
  const auto& function = module_.functions[frame_at(base_, to).function];
  if (pc >= function.code.size() || function.code[pc].op != Op::SetJmp) return stop(Fault::BadJump);
  if (doomed_by_jump(module_, base_, to).pointer != 0) return stop();
  if (to != at_) {
    std::uint32_t above = at_;
    while (frame_at(base_, above).previous != to) above = frame_at(base_, above).previous;
    auto& head = header(base_);
    for (std::uint32_t f = at_; f != to; f = frame_at(base_, f).previous)
      if (module_.functions[frame_at(base_, f).function].atomic && head.atomic_depth > 0) --head.atomic_depth;
    head.top = to;
    local_.resize(std::size_t{above} * 8);
  }
  frame_at(local_.data(), to).pc = pc;
  enter();
  set(ip_->dst, value.bits == 0 ? Cell{1, 0} : value);
  ++ip_;
  return Next::Go;
}

template <bool S>
typename Runner<S>::Next Runner<S>::rare(const Insn& i) {
  const auto shape = shape_of(i.op);
  const Cell a = shape & A ? get(i.a) : Cell{}, b = shape & B ? get(i.b) : Cell{}, c = shape & C ? get(i.c) : Cell{};
  if (!(shape & P) && ((a.mark | b.mark | c.mark | (shape & D ? marks_[i.dst] : 0)) & pending_mark)) return wait();
  if constexpr (S)
    if ((shape & D) && !(shape & V)) {
      LoadBits all;
      if ((shape & A) && !(i.a & constant_operand)) all.join(deps(i.a));
      if ((shape & B) && !(i.b & constant_operand)) all.join(deps(i.b));
      if ((shape & C) && !(i.c & constant_operand)) all.join(deps(i.c));
      deps(i.dst) = std::move(all);
    }
  auto& head = header(base_);
  switch (i.op) {
    case Op::IntMath: return put(i.dst, int_math(static_cast<IntMath>(i.sub), i.width, a, b, c));
    case Op::FloatMath: return put(i.dst, float_math(static_cast<FloatMath>(i.sub), i.width, a, b, c));
    case Op::FAdd: case Op::FSub: case Op::FMul: case Op::FDiv: case Op::FRem: return put(i.dst, float_binary(i.op, i.width, a, b));
    case Op::FNeg: return put(i.dst, {{a.bits ^ (std::uint64_t{1} << (i.width - 1)), a.mark}, Fault::None, false});
    case Op::FCmp: return put(i.dst, float_compare(i.sub, i.width, a, b));
    case Op::FCast: case Op::FToSI: case Op::FToUI: case Op::SIToF: case Op::UIToF: return put(i.dst, float_cast(i.op, i.sub, i.width, a));
    case Op::Wide: {
      const Operand* list = function_->lists.data() + i.imm;
      Cell in[8], out[2];
      const std::size_t n = *list++;
      LoadBits all;
      for (std::size_t k = 0; k < n && k < 8; ++k) {
        in[k] = get(list[k]);
        if (in[k].mark & pending_mark) return wait();
        if constexpr (S)
          if (!(list[k] & constant_operand)) all.join(deps(list[k]));
      }
      list += n;
      const std::size_t m = *list++;
      const Fault fault = wide_math(static_cast<Wide>(i.sub), i.width, {in, n}, {out, m});
      if (fault != Fault::None) return stop(fault);
      for (std::size_t k = 0; k < m; ++k) {
        set(list[k], out[k]);
        if constexpr (S) deps(list[k]) = all;
      }
      ++ip_;
      return Next::Go;
    }
    case Op::Freeze: set(i.dst, {a.bits, static_cast<Mark>(a.mark & ~undefined_mark)}); break;
    case Op::PtrBefore:
      set(i.dst, {upper(a.bits) == upper(b.bits) && (a.mark & any_pointer) && lower(a.bits) < lower(b.bits), 0});
      break;
    case Op::PrivateObject:
    case Op::PrivateAddress: {
      const auto& slot = function_->privates[i.imm];
      auto* word = words(base_) + at_ + slot.word;
      if (i.op == Op::PrivateObject) {
        const std::uint32_t count = (slot.size + 7) / 8;
        *word = slot.size;
        std::memset(word + 1, 0, std::size_t{count} * 8);
        auto* marks = marks_at(word + 1 + count);
        for (std::uint32_t k = 0; k < count; ++k) marks[k] = undefined_mark;
      }
      set(i.dst, {std::uint64_t{private_object | (at_ + slot.word)} << 32, private_mark});
      break;
    }
    case Op::Undefine: {  // the end or the beginning of a local's life: its contents mean nothing
      if (!(a.mark & private_mark)) break;
      const auto view = private_view(base_, local_.size() / 8, a.bits);
      const std::uint32_t count = (view.size + 7) / 8;
      for (std::uint32_t k = 0; k < count; ++k) {
        view.data[k] = 0;
        view.marks[k] = undefined_mark;
      }
      break;
    }
    case Op::VaBlock: set(i.dst, {std::uint64_t{private_object | (at_ + function_->frame_words)} << 32, private_mark}); break;
    case Op::VaSize: set(i.dst, {std::uint64_t{frame_at(base_, at_).va_words} * 8, 0}); break;
    case Op::VaArg: {
      const auto* block = words(base_) + at_ + function_->frame_words + 1;
      const auto k = a.bits / 8;
      set(i.dst, {block[k], marks_at(block + frame_at(base_, at_).va_words)[k]});
      break;
    }
    case Op::Rmw:
    case Op::Cas: {
      if (!(a.mark & private_mark)) {
        const Fault fault = b.mark & private_mark ? Fault::EscapedLocal : address_fault(a);
        return fault == Fault::None ? stop() : stop(fault);
      }
      return private_rmw(i, private_view(base_, local_.size() / 8, a.bits), a);
    }
    case Op::CasFlag: return stop(Fault::BadBlock);
    case Op::Tls: {
      const auto pointer = words(base_)[header_words + i.imm];
      if (pointer == 0) return stop();
      set(i.dst, {pointer, pointer_mark});
      break;
    }
    case Op::StackFree:
      if (a.bits == 0) break;
      return stop();
    case Op::StackSave: set(i.dst, {frame_at(base_, at_).dynamic, 0}); break;
    case Op::StackRestore:
      if (frame_at(base_, at_).dynamic > a.bits) return stop();
      break;
    case Op::Free:
      if (a.mark & undefined_mark) return stop(Fault::Uninitialised);
      if (!(a.mark & pointer_mark)) return stop(Fault::InvalidFree);
      return stop();
    case Op::ObjectSize:
      if (a.mark & private_mark) {
        set(i.dst, {private_view(base_, local_.size() / 8, a.bits).size, 0});
        break;
      }
      if (const Fault fault = address_fault(a); fault != Fault::None) return stop(fault);
      return stop();
    case Op::Output:
    case Op::WaitCas:
    case Op::WaitEq:
      if (a.mark & private_mark) return stop(Fault::EscapedLocal);
      if (const Fault fault = address_fault(a); fault != Fault::None) return stop(fault);
      return stop();
    case Op::Alloc: case Op::DynAlloc: case Op::Choose: case Op::Join: case Op::Exit:
      if (a.mark & undefined_mark) {
        if (i.op == Op::Exit) return stop();
        return stop(Fault::Uninitialised);
      }
      return stop();
    case Op::Spawn: {
      if (b.mark & private_mark) return stop(Fault::EscapedLocal);
      const auto index = (a.bits - function_address) / 16;
      if (a.mark != 0 || a.bits < function_address || index >= module_.functions.size() || a.bits % 16 != 0) return stop(Fault::BadCall);
      if (!module_.functions[index].defined) return stop(Fault::BadCall);
      return stop();
    }
    case Op::Fence: return stop();
    case Op::Assume:
      if (a.mark & undefined_mark) return stop(Fault::Uninitialised);
      control(i.a);
      if (a.bits == 0) {
        save();
        head.status = Status::Blocked;
        return Next::Stop;
      }
      break;
    case Op::ThreadExit:
      head.status = Status::Ending;
      head.atomic_depth = 0;
      head.in_step = 0;
      local_.resize((header_words + module_.tls.size()) * 8);
      return Next::Stop;
    case Op::Self: set(i.dst, {head.tid, 0}); break;
    case Op::AtomicBegin: ++head.atomic_depth; break;
    case Op::AtomicEnd:
      if (head.atomic_depth == 0) return stop(Fault::UnbalancedAtomic);
      if (--head.atomic_depth == 0) head.in_step = 0;
      break;
    case Op::GetThreadPointer: set(i.dst, {head.thread_pointer, head.thread_pointer_mark}); break;
    case Op::SetThreadPointer:
      if (a.mark & private_mark) return stop(Fault::EscapedLocal);
      head.thread_pointer = a.bits;
      head.thread_pointer_mark = a.mark;
      break;
    case Op::JumpMark: {
      const Insn* to = ip_;
      while (to->op != Op::SetJmp) ++to;
      set(i.dst, {std::uint64_t{at_} << 32 | static_cast<std::uint64_t>(to - function_->code.data()), 0});
      break;
    }
    case Op::SetJmp: set(i.dst, {}); break;
    case Op::LongJmp: return jump_out(i);
    case Op::IndirectBr: {
      const auto index = a.bits - block_address;
      if (a.mark & undefined_mark) return stop(Fault::Uninitialised);
      if (a.mark != 0 || index >= module_.blocks.size()) return stop(Fault::BadBlock);
      const auto& [function, pc] = module_.blocks[index];
      if (&module_.functions[function] != function_) return stop(Fault::BadBlock);
      control(i.a);
      ip_ = function_->code.data() + pc;
      return ++jumps_ % check_interval == 0 && loops() ? Next::Stop : Next::Go;
    }
    case Op::Switch: {
      if (a.mark & undefined_mark) return stop(Fault::Uninitialised);
      control(i.a);
      const auto& table = function_->switches[i.imm];
      const auto it = std::lower_bound(table.cases.begin(), table.cases.end(), a.bits, [](const auto& x, std::uint64_t v) { return x.first < v; });
      ip_ = function_->code.data() + (it != table.cases.end() && it->first == a.bits ? it->second : table.otherwise);
      return ++jumps_ % check_interval == 0 && loops() ? Next::Stop : Next::Go;
    }
    case Op::CallInd: {
      const auto index = (a.bits - function_address) / 16;
      if (a.mark & undefined_mark) return stop(Fault::Uninitialised);
      if (a.mark != 0 || a.bits < function_address || a.bits % 16 != 0 || index >= module_.functions.size()) return stop(Fault::BadCall);
      control(i.a);
      return call(static_cast<std::uint32_t>(index));
    }
    case Op::Unreachable: case Op::Unsupported: case Op::Fail: case Op::Abort: return stop(Fault::AtInstruction);
    default: return stop(Fault::BadBlock);
  }
  ++ip_;
  return Next::Go;
}

template <bool S>
void Runner<S>::run() {
  enter();
#define HEDDLE_BINARY(name, expression)                                        \
  case Op::name: {                                                             \
    const Cell x = get(i.a), y = get(i.b);                                     \
    depend(i.dst, {i.a, i.b});                                                 \
    if ((x.mark | y.mark | marks_[i.dst]) != 0) [[unlikely]] {                 \
      if (slow_binary(i, x, y) == Next::Stop) return;                          \
      continue;                                                                \
    }                                                                          \
    const std::uint64_t p = x.bits, q = y.bits;                                \
    regs_[i.dst] = (expression) & mask_of(i.width);                            \
    ++ip_;                                                                     \
    continue;                                                                  \
  }
#define HEDDLE_COMPARE(name, expression)                                       \
  case Op::name: {                                                             \
    const Cell x = get(i.a), y = get(i.b);                                     \
    depend(i.dst, {i.a, i.b});                                                 \
    if ((x.mark | y.mark | marks_[i.dst]) != 0) [[unlikely]] {                 \
      if (slow_binary(i, x, y) == Next::Stop) return;                          \
      continue;                                                                \
    }                                                                          \
    const std::uint64_t p = x.bits, q = y.bits;                                \
    const auto sp = sign_extended(p, i.width), sq = sign_extended(q, i.width); \
    (void)p, (void)q, (void)sp, (void)sq;                                      \
    regs_[i.dst] = (expression) ? 1 : 0;                                       \
    ++ip_;                                                                     \
    continue;                                                                  \
  }
  for (;;) {
    const Insn& i = *ip_;
    switch (i.op) {
      case Op::Nop: ++ip_; continue;
      case Op::Jmp: {
        const Insn* to = function_->code.data() + i.imm;
        const bool back = to <= ip_;
        ip_ = to;
        if (back && ++jumps_ % check_interval == 0 && loops()) return;
        continue;
      }
      case Op::Br: {
        const Cell x = get(i.a);
        if (x.mark != 0) [[unlikely]] {
          if (x.mark & pending_mark) { wait(); return; }
          stop(Fault::Uninitialised);
          return;
        }
        control(i.a);
        if (x.bits == 0) {
          ++ip_;
          continue;
        }
        const Insn* to = function_->code.data() + i.imm;
        const bool back = to <= ip_;
        ip_ = to;
        if (back && ++jumps_ % check_interval == 0 && loops()) return;
        continue;
      }
      case Op::Mov: {
        const Cell x = get(i.a);
        if ((x.mark | marks_[i.dst]) & pending_mark) [[unlikely]] { wait(); return; }
        depend(i.dst, {i.a});
        set(i.dst, x);
        ++ip_;
        continue;
      }
      case Op::Select: {
        const Cell x = get(i.a), y = get(i.b), z = get(i.c);
        if ((x.mark | y.mark | z.mark | marks_[i.dst]) & pending_mark) [[unlikely]] { wait(); return; }
        depend(i.dst, {i.a, i.b, i.c});
        if (x.mark & undefined_mark) [[unlikely]]
          set(i.dst, y.bits == z.bits && y.mark == z.mark ? y : Cell{0, undefined_of(i.width)});
        else
          set(i.dst, x.bits != 0 ? y : z);
        ++ip_;
        continue;
      }
      case Op::ZExt: {
        const Cell x = get(i.a);
        if ((x.mark | marks_[i.dst]) & pending_mark) [[unlikely]] { wait(); return; }
        depend(i.dst, {i.a});
        set(i.dst, x);
        ++ip_;
        continue;
      }
      case Op::Trunc:
      case Op::SExt: {
        const Cell x = get(i.a);
        if ((x.mark | marks_[i.dst]) & pending_mark) [[unlikely]] { wait(); return; }
        depend(i.dst, {i.a});
        if (x.mark == 0) [[likely]] {
          set(i.dst, {i.op == Op::Trunc ? x.bits & mask_of(i.width) : static_cast<std::uint64_t>(sign_extended(x.bits, i.sub)) & mask_of(i.width), 0});
          ++ip_;
        } else if (put(i.dst, i.op == Op::Trunc ? trunc(i.width, x) : sign_extend(i.sub, i.width, x)) == Next::Stop) {
          return;
        }
        continue;
      }
      HEDDLE_BINARY(Add, p + q)
      HEDDLE_BINARY(Sub, p - q)
      HEDDLE_BINARY(Mul, p * q)
      HEDDLE_BINARY(And, p & q)
      HEDDLE_BINARY(Or, p | q)
      HEDDLE_BINARY(Xor, p ^ q)
      HEDDLE_COMPARE(Eq, p == q)
      HEDDLE_COMPARE(Ne, p != q)
      HEDDLE_COMPARE(ULt, p < q)
      HEDDLE_COMPARE(ULe, p <= q)
      HEDDLE_COMPARE(SLt, sp < sq)
      HEDDLE_COMPARE(SLe, sp <= sq)
      case Op::UDiv: case Op::SDiv: case Op::URem: case Op::SRem: case Op::Shl: case Op::LShr: case Op::AShr: {
        depend(i.dst, {i.a, i.b});
        if (slow_binary(i, get(i.a), get(i.b)) == Next::Stop) return;
        continue;
      }
      case Op::PtrAdd:
      case Op::PtrAddConst: {
        const Cell x = get(i.a);
        const Cell y = i.op == Op::PtrAdd ? get(i.b) : Cell{static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(i.imm))), 0};
        if ((x.mark | y.mark | marks_[i.dst]) & pending_mark) [[unlikely]] { wait(); return; }
        if (i.op == Op::PtrAdd) depend(i.dst, {i.a, i.b});
        else depend(i.dst, {i.a});
        if ((x.mark & any_pointer) && y.mark == 0 && static_cast<std::int64_t>(y.bits) == static_cast<std::int32_t>(y.bits)) [[likely]] {
          set(i.dst, {(x.bits & 0xffffffff00000000) | lower(x.bits + y.bits), x.mark});
          ++ip_;
        } else if (put(i.dst, pointer_add(x, y)) == Next::Stop) {
          return;
        }
        continue;
      }
      case Op::Load:
        if (load(i) == Next::Stop) return;
        continue;
      case Op::Store:
        if (store(i) == Next::Stop) return;
        continue;
      case Op::Call:
        if (call(i.b | static_cast<std::uint32_t>(i.c) << 16) == Next::Stop) return;
        continue;
      case Op::Ret:
        if (ret() == Next::Stop) return;
        continue;
      case Op::Clear: {
        const Operand* list = function_->lists.data() + i.imm + 1;
        for (std::size_t n = *list++; n > 0; --n, ++list)
          if (!(marks_[*list] & pending_mark)) set(*list, {});
        ++ip_;
        continue;
      }
      default:
        if (rare(i) == Next::Stop) return;
        continue;
    }
  }
#undef HEDDLE_BINARY
#undef HEDDLE_COMPARE
}

}  // namespace

std::uint32_t push_frame(const Module& module, core::Local& local, std::uint32_t function, std::uint32_t va_words) {
  const Function& f = module.functions[function];
  const auto at = static_cast<std::uint32_t>(local.size() / 8);
  const std::uint32_t size = f.frame_words + (f.variadic ? private_words(va_words * 8) : 0);
  local.resize(local.size() + std::size_t{size} * 8);
  auto* base = local.data();
  auto& head = header(base);
  auto& frame = frame_at(base, at);
  frame.function = function;
  frame.pc = 0;
  frame.previous = head.top;
  frame.va_words = static_cast<std::uint16_t>(va_words);
  frame.dynamic = 0;
  head.top = at;
  if (f.variadic) words(base)[at + f.frame_words] = va_words * 8;
  return at;
}

void fail(core::Local& local, Fault fault) {
  auto& head = header(local.data());
  head.status = Status::Failed;
  head.fault = fault;
}

Fault address_fault(const Cell& c) {
  if (c.mark & pointer_mark) return Fault::None;
  if (c.mark & undefined_mark) return Fault::Uninitialised;
  return c.bits < 4096 ? Fault::Null : Fault::Wild;
}

std::uint32_t dynamic_word(const Module& module, const std::byte* local, std::uint32_t at) {
  const auto& frame = frame_at(local, at);
  const Function& f = module.functions[frame.function];
  return at + f.frame_words + (f.variadic ? private_words(frame.va_words * 8u) : 0) + frame.dynamic - 1;
}

StackObject doomed_by_jump(const Module& module, const std::byte* local, std::uint32_t target) {
  for (std::uint32_t at = header(local).top; at != 0 && at != target; at = frame_at(local, at).previous) {
    const ConstFrame frame(module, local, at);
    if (frame_at(local, at).dynamic != 0) return {at, -1, words(local)[dynamic_word(module, local, at)]};
    for (auto r : frame.function->stack_regs)
      if (frame.regs[r] != 0) return {at, r, frame.regs[r]};
  }
  return {};
}

void run(const Module& module, core::Local& local, LoadShadow* shadow, std::uint64_t max_jumps) {
  if (shadow != nullptr)
    Runner<true>(module, local, shadow, max_jumps).run();
  else
    Runner<false>(module, local, nullptr, max_jumps).run();
}

}  // namespace heddle::vm
