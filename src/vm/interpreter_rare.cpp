// Operations that are seldom met: everything but plain arithmetic, branches, calls, loads and stores.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstring>

#include "vm/runner.h"

namespace heddle::vm {

// Atomic operations on memory that nobody else can reach.
template <bool S>
typename Runner<S>::Next Runner<S>::private_rmw(const Insn& i, const PrivateView& view, Cell address) {
  const unsigned bytes = bytes_of(i.width);
  const std::uint32_t offset = lower(address.bits);
  if (view.data == nullptr) return stop(Fault::DeadLocal);
  if ((address.mark & far_mark) || std::uint64_t{offset} + bytes > view.size)
    return stop(view.size == 0 ? Fault::DeadScope : Fault::OutOfBounds);
  if (misaligned(module_, base_, i, address)) return stop(Fault::Misaligned);
  Cell old;
  auto& names_matter = header(base_).names_matter;
  if (private_load(view, offset, i.width, old)) names_matter = 1;
  const Cell value = get(i.b);
  LoadBits of_old, of_value;
  access_at(i.a);
  if constexpr (S) {
    of_old = shadow_->of_bytes(view.word, offset, bytes);
    of_value = value_deps(i.b);
    of_value.join(value_deps(i.a));
    shadow_->loads_from(view.word);
    shadow_->stores(view.word, value_deps(i.a));
  }
  const auto depends = [&] {
    depend(i.dst, {i.a});
    if constexpr (S) deps(i.dst).join(of_old);
  };
  if (i.op == Op::Cas) {
    const Cell expected = get(i.c);
    bool padding = module_.cxx;
    const Outcome equal = cas_equal(i.width, old, expected, padding);
    if (equal.fault != Fault::None) return stop(equal.fault);
    const Cell same = equal.cell;
    if (same.mark != 0) return stop(undefined_fault(same));
    if (padding) *module_.padding_ignored = true;
    if (same.bits != 0 && private_store(view, offset, i.width, value)) names_matter = 1;
    if constexpr (S) {  // what it leaves depends on the comparison, too
      if (same.bits != 0) shadow_->set_bytes(view.word, offset, bytes, of_value);
      shadow_->hidden.join(of_old.as_odd());
      shadow_->hidden.join(value_deps(i.c).as_odd());
    }
    const Operand flag = ip_[1].dst;
    depends();
    pick(flag, {i.dst, i.c});
    set(i.dst, old);
    set(flag, {same.bits, 0});
    ip_ += 2;
    return Next::Go;
  }
  const auto op = static_cast<core::RmwOp>(i.imm & 0xff);
  if (op == core::RmwOp::Arrive) return stop(Fault::EscapedLocal);
  const Outcome next = rmw_math(op, i.width, old, value);
  if (next.fault != Fault::None) return stop(next.fault);
  note_addresses(next, old, value);
  if (private_store(view, offset, i.width, next.cell)) names_matter = 1;
  depends();
  if constexpr (S) {
    if (static_cast<core::RmwOp>(i.imm & 0xff) != core::RmwOp::Xchg) of_value.join(of_old);
    shadow_->set_bytes(view.word, offset, bytes, of_value);
  }
  set(i.dst, old);
  ++ip_;
  return Next::Go;
}

// Requires that no stack object and no pending load belongs to a frame above the target.
template <bool S>
void Runner<S>::leave_frames_above(std::uint32_t target) {
  if (target == at_) return;
  auto& head = header(base_);
  std::uint32_t lowest = at_;
  for (std::uint32_t f = at_; f != target; f = frame_at(base_, f).previous) {
    lowest = f;
    if (module_.functions[frame_at(base_, f).function].atomic && head.atomic_depth > 0) --head.atomic_depth;
  }
  head.top = target;
  local_.resize(std::size_t{lowest} * 8);
  if constexpr (S)
    if (shadow_->words.size() > lowest) shadow_->resize(lowest);
}

// The landing pad is a second way out of the call that its frame carries out.
template <bool S>
typename Runner<S>::Next Runner<S>::unwind(const Insn& i) {
  const Cell number = get(i.a), object = get(i.b), selector = get(i.c);
  LoadBits object_deps, selector_deps;
  if constexpr (S) {
    if (!(i.b & constant_operand)) object_deps = deps(i.b);
    if (!(i.c & constant_operand)) selector_deps = deps(i.c);
  }
  if (number.mark & unusable_mark) return stop(undefined_fault(number));
  const std::uint32_t to = frame_number(base_, number.bits);
  const Insn* landing = to == 0 || to == at_ ? nullptr : active_landing(module_, base_, to);
  if (landing == nullptr) return stop(Fault::BadJump);
  if (pending_above(module_, base_, to)) return wait();
  if (doomed_by_jump(module_, base_, to).pointer != 0) return stop();
  leave_frames_above(to);
  const auto& code = module_.functions[frame_at(local_.data(), to).function].code;
  frame_at(local_.data(), to).pc = static_cast<std::uint32_t>(landing - code.data());
  enter();
  const Operand* written = function_->lists.data() + landing->imm + 2;  // behind the operands read, which are none
  set(written[0], object);
  set(written[1], {selector.bits & mask_of(32), selector.mark});
  if constexpr (S) {
    deps(written[0]) = std::move(object_deps);
    deps(written[1]) = std::move(selector_deps);
  }
  ++ip_;
  return ++jumps_ % check_interval == 0 && loops() ? Next::Stop : Next::Go;
}

// Another call of the function may have its frame at the same place: what the buffer names as its activation is the object
// that the calling frame holds.
template <bool S>
typename Runner<S>::Next Runner<S>::jump_out(const Insn& i) {
  const Cell target = get(i.a), value = get(i.b), activation = get(i.c);
  if ((target.mark | value.mark | activation.mark) & pending_mark) return wait();
  if (target.mark & unusable_mark) return stop(undefined_fault(target));
  const std::uint32_t to = upper(target.bits), pc = lower(target.bits);
  std::uint32_t at = at_;
  while (at != 0 && at != to) at = frame_at(base_, at).previous;
  if (at == 0) return stop(Fault::BadJump);
  const auto& function = module_.functions[frame_at(base_, to).function];
  if (pc >= function.code.size() || function.code[pc].op != Op::SetJmp) return stop(Fault::BadJump);
  const Cell there = Frame(module_, base_, to).get(function.code[pc].a);
  if (activation.bits != there.bits || activation.mark != there.mark) return stop(Fault::BadJump);
  if (pending_above(module_, base_, to)) return wait();
  if (doomed_by_jump(module_, base_, to).pointer != 0) return stop();
  control(i.a);
  LoadBits of_value;
  if constexpr (S)
    if (!(i.b & constant_operand)) of_value = deps(i.b);
  leave_frames_above(to);
  frame_at(local_.data(), to).pc = pc;
  enter();
  set(ip_->dst, value.bits == 0 && value.mark == 0 ? Cell{1, 0} : value);
  if constexpr (S) deps(ip_->dst) = std::move(of_value);
  ++ip_;
  return Next::Go;
}

// What the result of a rare instruction depends on; `all`: what its operands depend on. Hardware gives the result of a
// comparison, and a limit in place of a sum, by its flags: they are picked (vm/shadow.h), as is one of two operands.
template <bool S>
LoadBits Runner<S>::of_result(const Insn& i, const Cell& a, const Cell& b, const Cell& c, LoadBits all) {
  if (i.op == Op::FCmp || i.op == Op::PtrBefore) return all.as_odd();
  if (i.op != Op::IntMath) return all;
  const auto operation = static_cast<IntMath>(i.sub);
  if (operation >= IntMath::SAddO && operation <= IntMath::UMulO) return all.as_odd();
  if (operation == IntMath::Cmp3S || operation == IntMath::Cmp3U) return all.as_odd();
  const std::uint64_t result = int_math(operation, i.width, a, b, c).cell.bits;
  if (operation >= IntMath::SMin && operation <= IntMath::UMax) {
    const Operand chosen = result == a.bits ? i.a : i.b;
    LoadBits some = all.as_odd();
    if (a.bits != b.bits && !(chosen & constant_operand)) some.join(deps(chosen));  // of equal ones it may be either
    return some;
  }
  const std::uint64_t ones = ~std::uint64_t{0} >> (64 - i.width), most = ones >> 1;
  switch (operation) {
    case IntMath::UAddSat:
    case IntMath::UShlSat: return result == ones ? all.as_odd() : all;
    case IntMath::USubSat: return result == 0 ? all.as_odd() : all;
    case IntMath::SAddSat:
    case IntMath::SSubSat:
    case IntMath::SShlSat: return result == most || result == ones - most ? all.as_odd() : all;
    default: return all;
  }
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
      deps(i.dst) = of_result(i, a, b, c, std::move(all));
    }
  auto& head = header(base_);
  switch (i.op) {
    case Op::IntMath: return put(i.dst, int_math(static_cast<IntMath>(i.sub), i.width, a, b, c));
    case Op::FloatMath: return put(i.dst, float_math(static_cast<FloatMath>(i.sub), i.width, a, b, c));
    case Op::FAdd:
    case Op::FSub:
    case Op::FMul:
    case Op::FDiv:
    case Op::FRem: return put(i.dst, float_binary(i.op, i.width, a, b));
    case Op::FNeg: return put(i.dst, binary(Op::Xor, i.width, a, {std::uint64_t{1} << (i.width - 1), 0}));
    case Op::FCmp: return put(i.dst, float_compare(i.sub, i.width, a, b));
    case Op::FCast:
    case Op::FToSI:
    case Op::FToUI:
    case Op::SIToF:
    case Op::UIToF: return put(i.dst, float_cast(i.op, i.sub, i.width, a));
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
      auto operation = static_cast<Wide>(i.sub);
      if (operation == Wide::Same && !module_.cxx) operation = Wide::Eq;
      const Fault fault = wide_math(operation, i.width, {in, n}, {out, m});
      if (fault != Fault::None) return stop(fault);
      if (operation >= Wide::Eq && operation <= Wide::UMulO) all = all.as_odd();
      if (operation == Wide::Same && out[0].bits != 0)
        for (std::size_t k = 0; k < n; ++k)
          if (in[k].mark & undefined_mark) *module_.padding_ignored = true;
      if (operation != Wide::Eq && operation != Wide::Ne && operation != Wide::Same &&
          !moves_words(operation, i.width, {in, n}))
        for (std::size_t k = 0; k < n; ++k)
          if (in[k].mark & any_pointer) head.names_matter = 1;
      for (std::size_t k = 0; k < m; ++k) {
        set(list[k], out[k]);
        if constexpr (S) deps(list[k]) = all;
      }
      ++ip_;
      return Next::Go;
    }
    // Of an undefined operand it is any value. The compiler puts it where it makes a branch earlier than the program has
    // it, so that this need be no error of the program either.
    case Op::Freeze:
      if (a.mark & undefined_mark) return stop(Fault::Frozen);
      set(i.dst, a);
      break;
    case Op::PtrBefore:
      set(i.dst, {upper(a.bits) == upper(b.bits) && (a.mark & any_pointer) && offset_of(a) < offset_of(b), 0});
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
        view.marks[k] = i.sub & ended_bit ? Mark{0} : undefined_mark;
      }
      if constexpr (S) shadow_->set_bytes(view.word, 0, 8 * count, {});
      if (view.data != nullptr && (i.sub & ended_bit)) view.data[-1] = 0;  // an object of no size until it begins anew
      break;
    }
    case Op::VaBlock:
      set(i.dst, {std::uint64_t{private_object | (at_ + function_->frame_words)} << 32, private_mark});
      break;
    case Op::VaSize: set(i.dst, {std::uint64_t{frame_at(base_, at_).va_words} * 8, 0}); break;
    case Op::VaArg: {
      const auto* block = words(base_) + at_ + function_->frame_words + 1;
      const auto k = a.bits / 8;
      set(i.dst, {block[k], marks_at(block + frame_at(base_, at_).va_words)[k]});
      if constexpr (S)
        deps(i.dst).join(shadow_->of_bytes(at_ + function_->frame_words + 1, static_cast<std::uint32_t>(8 * k), 8));
      break;
    }
    case Op::Rmw:
    case Op::Cas: {
      if (!(a.mark & private_mark)) {
        Fault fault = write_fault(module_, base_, a);
        if (fault == Fault::None) fault = stored_fault(b);
        if (fault == Fault::None) fault = stored_fault(c);
        if (fault == Fault::None && misaligned(module_, base_, i, a)) fault = Fault::Misaligned;
        if (stored_as_number(a, b)) head.names_matter = 1;
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
      if (a.mark & unusable_mark) return stop(undefined_fault(a));
      if (address_fault(module_, head, a) != Fault::None) return stop(Fault::InvalidFree);
      return stop();
    case Op::ObjectSize:
      if (i.sub == facts_bit &&
          (a.mark & (private_mark | unusable_mark) || address_fault(module_, head, a) != Fault::None)) {
        set(i.dst, {no_object, 0});
        break;
      }
      if (a.mark & private_mark) {
        set(i.dst, {private_view(base_, local_.size() / 8, a.bits).size, 0});
        break;
      }
      if (const Fault fault = address_fault(module_, head, a); fault != Fault::None) return stop(fault);
      return stop();
    case Op::Output:
    case Op::WaitCas:
    case Op::WaitEq:
    case Op::WaitAdd:
      if (a.mark & private_mark) return stop(Fault::EscapedLocal);
      if (const Fault fault = address_fault(module_, head, a); fault != Fault::None) return stop(fault);
      return stop();
    case Op::DynAlloc:
      if (frame_at(base_, at_).dynamic == 0xffff ||
          local_.size() / 8 >= (module_.pending_loads ? max_slot_words : max_local_words))
        return stop(Fault::StackTooDeep);
      [[fallthrough]];
    case Op::Alloc:
      if (a.mark & unusable_mark) return stop(undefined_fault(a));
      if (a.bits > largest_object) return stop(Fault::TooLarge);
      return stop();
    case Op::Choose:
    case Op::Join:
      if (a.mark & unusable_mark) return stop(undefined_fault(a));
      return stop();
    case Op::Point:
    case Op::Exit: return stop();
    case Op::Spawn: {
      if (const Fault fault = stored_fault(b); fault != Fault::None) return stop(fault);
      const auto index = (a.bits - function_address) / 16;
      if (a.mark != 0 || a.bits < function_address || index >= module_.functions.size() || a.bits % 16 != 0)
        return stop(Fault::BadCall);
      if (!module_.functions[index].defined) return stop(Fault::BadCall);
      return stop();
    }
    case Op::Fence: return stop();
    case Op::Assume:
      if (a.mark & unusable_mark) return stop(undefined_fault(a));
      control(i.a);
      if (a.bits == 0) {
        save();
        head.status = Status::Blocked;
        return Next::Stop;
      }
      break;
    case Op::Require:  // no branch of the program's own: nothing depends on it
      if (a.mark & unusable_mark) return stop(undefined_fault(a));
      if ((a.bits != 0) == ((i.sub & refuted_bit) != 0)) return stop(Fault::AtInstruction);
      break;
    case Op::ThreadExit:
      if (head.section != 0) return stop(Fault::UnclosedAtomic);
      if (pending_above(module_, base_, 0)) return wait();
      if (doomed_by_jump(module_, base_, 0).pointer != 0) return stop();  // local variables go first, one by one
      head.status = Status::Ending;
      head.atomic_depth = 0;
      head.in_step = 0;
      local_.resize((header_words + module_.tls.size()) * 8);
      return Next::Stop;
    case Op::EndLocals:
      if (head.section != 0) return stop(Fault::UnclosedAtomic);
      if (doomed_by_jump(module_, base_, 0).pointer != 0) return stop();
      // No function below goes on: what locals in registers and private objects hold has ended too.
      for (std::uint32_t at = at_; frame_at(base_, at).previous != 0; at = frame_at(base_, at).previous) {
        const std::uint32_t first = frame_at(base_, at).previous + frame_header_words;
        std::memset(words(base_) + first, 0, std::size_t{at - first} * 8);
      }
      break;
    case Op::Self: set(i.dst, {head.tid, 0}); break;
    case Op::AtomicBegin:
      if ((i.sub & section_bit) && head.section != 0) return stop(Fault::NestedAtomic);
      if (i.sub & section_bit) head.section = 1;
      if (++head.atomic_depth == 0) return stop(Fault::StackTooDeep);
      break;
    case Op::AtomicEnd:
      if (head.atomic_depth == 0 || ((i.sub & section_bit) && head.section == 0)) return stop(Fault::UnbalancedAtomic);
      if (i.sub & section_bit) head.section = 0;
      if (--head.atomic_depth == 0) head.in_step = 0;
      break;
    case Op::Defined: set(i.dst, {(a.mark & undefined_mark) == 0, 0}); break;
    case Op::Disjoint: {  // the same place twice is harmless, and compilers copy structures to themselves
      const auto inside = [&](const Cell& x, const Cell& y) {
        return offset_of(x) < offset_of(y) && static_cast<std::uint64_t>(offset_of(y) - offset_of(x)) < c.bits;
      };
      if ((a.mark | b.mark | c.mark) & undefined_mark) return stop(Fault::Uninitialised);
      if ((a.mark & b.mark & any_pointer) && upper(a.bits) == upper(b.bits) && (inside(a, b) || inside(b, a)))
        return stop(Fault::Overlap);
      break;
    }
    case Op::NoteJoin: {
      const std::uint64_t bit = a.bits < 64 ? std::uint64_t{1} << a.bits : 0;
      set(i.dst, {(head.joined & bit) != 0, 0});
      head.joined |= bit;
      break;
    }
    case Op::GetThreadPointer: set(i.dst, {head.thread_pointer, head.thread_pointer_mark}); break;
    case Op::SetThreadPointer:
      if (const Fault fault = stored_fault(a); fault != Fault::None) return stop(fault);
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
    case Op::Frames: set(i.dst, {frame_count(base_), 0}); break;
    case Op::FrameFact: set(i.dst, frame_fact(module_, base_, a.bits, static_cast<FrameFact>(i.sub))); break;
    case Op::Unwind: return unwind(i);
    case Op::IndirectBr: {
      const auto index = a.bits - block_address;
      if (a.mark & unusable_mark) return stop(undefined_fault(a));
      if (a.mark != 0 || index >= module_.blocks.size()) return stop(Fault::BadBlock);
      const auto& [function, pc] = module_.blocks[index];
      if (&module_.functions[function] != function_) return stop(Fault::BadBlock);
      control(i.a);
      ip_ = function_->code.data() + pc;
      return ++jumps_ % check_interval == 0 && loops() ? Next::Stop : Next::Go;
    }
    case Op::Switch: {
      if (a.mark & undefined_mark) return stop(undefined_fault(a));
      control(i.a);
      const auto& table = function_->switches[i.imm];
      if (a.mark & any_pointer)
        for (const auto& [value, to] : table.cases) note_addresses(binary(Op::Eq, 64, a, {value, 0}), a, {});
      const auto it = std::lower_bound(table.cases.begin(), table.cases.end(), a.bits,
                                       [](const auto& x, std::uint64_t v) { return x.first < v; });
      ip_ = function_->code.data() + (it != table.cases.end() && it->first == a.bits ? it->second : table.otherwise);
      return ++jumps_ % check_interval == 0 && loops() ? Next::Stop : Next::Go;
    }
    case Op::CallInd: {
      const auto index = (a.bits - function_address) / 16;
      if (a.mark & unusable_mark) return stop(undefined_fault(a));
      if (a.mark != 0 || a.bits < function_address || a.bits % 16 != 0 || index >= module_.functions.size())
        return stop(Fault::BadCall);
      control(i.a);
      const auto given = i.b | static_cast<std::uint32_t>(i.c) << 16, taken = module_.functions[index].signature;
      if (given != taken && module_.functions[index].defined &&
          !fits(module_.signatures[given], module_.signatures[taken]))
        return stop(Fault::BadSignature);
      return call(static_cast<std::uint32_t>(index));
    }
    case Op::Unreachable:
    case Op::Unsupported:
    case Op::Fail:
    case Op::FailException:
    case Op::Abort: return stop(Fault::AtInstruction);
    default: return stop(Fault::BadBlock);
  }
  ++ip_;
  return Next::Go;
}

template Runner<false>::Next Runner<false>::rare(const Insn&);
template Runner<true>::Next Runner<true>::rare(const Insn&);

}  // namespace heddle::vm
