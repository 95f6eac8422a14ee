// SPDX-License-Identifier: Apache-2.0
#include "vm/interpreter.h"

#include <algorithm>
#include <cstring>

#include "vm/runner.h"

namespace heddle::vm {

// Brent's cycle detection on the whole local state, looked at every check_interval jumps.
template <bool S>
bool Runner<S>::loops() {
  save();
  if (jumps_ >= max_jumps_) {
    fail(local_, Fault::Endless);
    return true;
  }
  if (!snapshot_.empty() && snapshot_ == local_) {
    // What comes next is known: nothing. Inside an atomic section nobody else would ever get on, either.
    if (header(local_.data()).atomic_depth > 0) fail(local_, Fault::EndlessSection);
    else header(local_.data()).status = Status::Idle;
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
  if (need > (module_.pending_loads ? max_slot_words : max_local_words) || extra > 0xffff)
    return stop(Fault::StackTooDeep);
  save();
  const auto caller = at_;
  const Function& from = *function_;
  const auto callee_at = push_frame(module_, local_, callee, extra);
  base_ = local_.data();
  regs_ = words(base_) + caller + frame_header_words;
  marks_ = marks_at(regs_ + from.registers);
  auto* target = words(base_) + callee_at + frame_header_words;
  auto* target_marks = marks_at(target + f.registers);
  if constexpr (S) shadow_->resize(local_.size() / 8);
  for (std::uint32_t k = 0; k < fixed; ++k) {
    const auto o = lists[args_at + k];
    const Cell c = get(o);
    target[f.params[k]] = c.bits;
    target_marks[f.params[k]] = c.mark;
    if constexpr (S)
      if (!(o & constant_operand))
        shadow_->words[callee_at + frame_header_words + f.params[k]] = shadow_->words[caller + frame_header_words + o];
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
        if (!(o & constant_operand))
          shadow_->words[callee_at + f.frame_words + 1 + k] = shadow_->words[caller + frame_header_words + o];
    }
  }
  for (std::size_t k = 0; k < lists[clears_at]; ++k) {
    const auto r = lists[clears_at + 1 + k];
    if (marks_[r] & pending_mark) continue;
    set(r, {});
    if constexpr (S) deps(r).clear();
  }
  if (f.atomic && ++header(base_).atomic_depth == 0) return stop(Fault::StackTooDeep);
  enter();
  return ++jumps_ % check_interval == 0 && loops() ? Next::Stop : Next::Go;
}

// Is this frame the program's own, and are all below it the library's?
template <bool S>
bool Runner<S>::last_of_the_program() const {
  if (function_->library) return false;
  for (auto at = frame_at(base_, at_).previous; at != 0; at = frame_at(base_, at).previous) {
    const auto below = frame_at(base_, at).function;
    if (!module_.functions[below].library && below != module_.entry) return false;
  }
  return true;
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
  if (head.section != 0 && last_of_the_program()) return stop(Fault::UnclosedAtomic);
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
  if constexpr (S) shadow_->resize(at_);
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

// What nobody can change is no shared memory, unless the access orders others.
template <bool S>
typename Runner<S>::Next Runner<S>::load_constant(const Insn& i, const core::GlobalObject& object,
                                                  std::uint32_t offset) {
  const unsigned bytes = bytes_of(i.width);
  if (std::uint64_t{offset} + bytes > object.size) return stop(Fault::OutOfBounds);
  std::uint64_t bits = 0, undefined = 0;
  std::memcpy(&bits, object.bytes.data() + offset, bytes);
  if (!object.defined.empty())
    for (unsigned k = 0; k < bytes; ++k)
      if (!object.defined[offset + k]) undefined |= std::uint64_t{0xff} << (8 * k);
  Cell c = make_cell(bits, undefined, i.width);
  if (!object.pointers.empty()) {
    // The words that overlap the access begin at most seven bytes before it.
    auto it = std::lower_bound(object.pointers.begin(), object.pointers.end(), offset < 7 ? 0 : offset - 7);
    if (it != object.pointers.end() && *it < offset + bytes)
      c.mark = *it == offset && bytes == 8 ? pointer_mark : fragment_mark;
    if (c.mark & fragment_mark) header(base_).names_matter = 1;
  }
  access_at(i.a);
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
    if (const Fault fault = address_fault(module_, header(base_), a); fault != Fault::None) return stop(fault);
    if ((i.sub & order_bits) && misaligned(module_, base_, i, a)) return stop(Fault::Misaligned);
    const auto object = upper(a.bits);
    const bool orders = (i.sub & order_bits) > static_cast<unsigned>(core::Order::Relaxed);
    if (object <= module_.globals.size() && module_.globals[object - 1].constant &&
        (!orders || module_.globals[object - 1].outside))
      return load_constant(i, module_.globals[object - 1], lower(a.bits));
    return stop();
  }
  const auto view = private_view(base_, local_.size() / 8, a.bits);
  const unsigned bytes = bytes_of(i.width);
  if (view.data == nullptr) return stop(Fault::DeadLocal);
  const std::uint32_t offset = lower(a.bits);
  if ((a.mark & far_mark) || std::uint64_t{offset} + bytes > view.size)
    return stop(view.size == 0 ? Fault::DeadScope : Fault::OutOfBounds);
  if ((i.sub & order_bits) && misaligned(module_, base_, i, a)) return stop(Fault::Misaligned);
  Cell c;
  if (private_load(view, offset, i.width, c)) header(base_).names_matter = 1;
  access_at(i.a);
  if constexpr (S) {
    LoadBits all = shadow_->of_bytes(view.word, offset, bytes);
    all.join(value_deps(i.a));
    deps(i.dst) = std::move(all);
    shadow_->loads_from(view.word);
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
    Fault fault = write_fault(module_, base_, a);
    if (fault == Fault::None) fault = stored_fault(v);
    if (fault == Fault::None && (i.sub & order_bits) && misaligned(module_, base_, i, a)) fault = Fault::Misaligned;
    if (stored_as_number(a, v)) header(base_).names_matter = 1;
    return fault == Fault::None ? stop() : stop(fault);
  }
  const auto view = private_view(base_, local_.size() / 8, a.bits);
  const unsigned bytes = bytes_of(i.width);
  if (view.data == nullptr) return stop(Fault::DeadLocal);
  const std::uint32_t offset = lower(a.bits);
  if ((a.mark & far_mark) || std::uint64_t{offset} + bytes > view.size)
    return stop(view.size == 0 ? Fault::DeadScope : Fault::OutOfBounds);
  if ((i.sub & order_bits) && misaligned(module_, base_, i, a)) return stop(Fault::Misaligned);
  if (private_store(view, offset, i.width, v)) header(base_).names_matter = 1;
  access_at(i.a);
  if constexpr (S) {  // (addr ∪ data); rfi
    LoadBits all = value_deps(i.b);
    const LoadBits of_address = value_deps(i.a);
    all.join(of_address);
    shadow_->stores(view.word, of_address);
    shadow_->set_bytes(view.word, offset, bytes, all);
  }
  ++ip_;
  return Next::Go;
}

template <bool S>
typename Runner<S>::Next Runner<S>::slow_binary(const Insn& i, Cell a, Cell b) {
  if ((a.mark | b.mark | marks_[i.dst]) & pending_mark) return wait();
  const Outcome r = binary(i.op, i.width, a, b);
  note_addresses(r, a, b);
  return put(i.dst, r);
}

// The hot loop. What it needs lives in local variables, since the compiler must assume that a store to a register of
// the frame may change any member; whatever leaves the loop puts `ip` back, and takes everything anew when it returns.
template <bool S>
void Runner<S>::run() {
  enter();
  const Insn* ip = ip_;
  const Insn* code = function_->code.data();
  std::uint64_t* regs = regs_;
  Mark* marks = marks_;
  const Cell* constants = constants_;
  const auto fetch = [&](Operand o) -> Cell {
    if (o & constant_operand) return constants[o & 0x7fff];
    return {regs[o], marks[o]};
  };
  const auto write = [&](Operand o, Cell c) {
    regs[o] = c.bits;
    marks[o] = c.mark;
  };
  const auto look = [&] {  // after something that may have changed frame and place
    ip = ip_;
    code = function_->code.data();
    regs = regs_;
    marks = marks_;
    constants = constants_;
  };
  const auto jump = [&](std::uint32_t to) {  // true: the thread goes round in circles
    const bool back = code + to <= ip;
    ip = code + to;
    if (!back || ++jumps_ % check_interval != 0) return false;
    ip_ = ip;
    return loops();
  };
#define HEDDLE_LEAVE(call)          \
  {                                 \
    ip_ = ip;                       \
    if (call == Next::Stop) return; \
    look();                         \
    continue;                       \
  }
#define HEDDLE_BINARY(name, expression)                     \
  case Op::name: {                                          \
    const Cell x = fetch(i.a), y = fetch(i.b);              \
    depend(i.dst, {i.a, i.b});                              \
    const std::uint64_t p = x.bits, q = y.bits;             \
    if ((x.mark | y.mark | marks[i.dst]) != 0) [[unlikely]] \
      HEDDLE_LEAVE(slow_binary(i, x, y))                    \
    regs[i.dst] = (expression) & mask_of(i.width);          \
    ++ip;                                                   \
    continue;                                               \
  }
#define HEDDLE_SHIFT(name, expression)                                           \
  case Op::name: {                                                               \
    const Cell x = fetch(i.a), y = fetch(i.b);                                   \
    depend(i.dst, {i.a, i.b});                                                   \
    if ((x.mark | y.mark | marks[i.dst]) != 0 || y.bits >= i.width) [[unlikely]] \
      HEDDLE_LEAVE(slow_binary(i, x, y))                                         \
    const std::uint64_t p = x.bits, q = y.bits;                                  \
    regs[i.dst] = (expression) & mask_of(i.width);                               \
    ++ip;                                                                        \
    continue;                                                                    \
  }
#define HEDDLE_COMPARE(name, expression)                                                                  \
  case Op::name: {                                                                                        \
    const Cell x = fetch(i.a), y = fetch(i.b);                                                            \
    pick(i.dst, {i.a, i.b});                                                                              \
    if ((x.mark | y.mark | marks[i.dst]) != 0) [[unlikely]]                                               \
      HEDDLE_LEAVE(slow_binary(i, x, y))                                                                  \
    [[maybe_unused]] const std::uint64_t p = x.bits, q = y.bits;                                          \
    [[maybe_unused]] const auto sp = sign_extended(x.bits, i.width), sq = sign_extended(y.bits, i.width); \
    regs[i.dst] = (expression) ? 1 : 0;                                                                   \
    ++ip;                                                                                                 \
    continue;                                                                                             \
  }
#define HEDDLE_WAIT_IF_PENDING(mark)        \
  if ((mark) & pending_mark) [[unlikely]] { \
    ip_ = ip;                               \
    wait();                                 \
    return;                                 \
  }
  for (;;) {
    const Insn& i = *ip;
    switch (i.op) {
      case Op::Nop:
      case Op::FenceSlot: ++ip; continue;
      case Op::Jmp:
        if (jump(i.imm)) return;
        continue;
      case Op::Br: {
        const Cell x = fetch(i.a);
        if (x.mark != 0) [[unlikely]] {
          HEDDLE_WAIT_IF_PENDING(x.mark)
          if ((x.mark & undefined_mark) != 0) {
            ip_ = ip;
            stop(undefined_fault(x));
            return;
          }
        }
        control(i.a);
        if (x.bits == 0) {
          ++ip;
          continue;
        }
        if (jump(i.imm)) return;
        continue;
      }
      case Op::Mov: {
        const Cell x = fetch(i.a);
        HEDDLE_WAIT_IF_PENDING(x.mark | marks[i.dst])
        depend(i.dst, {i.a});
        write(i.dst, x);
        ++ip;
        continue;
      }
      case Op::Select: {
        const Cell x = fetch(i.a), y = fetch(i.b), z = fetch(i.c);
        HEDDLE_WAIT_IF_PENDING(x.mark | y.mark | z.mark | marks[i.dst])
        if constexpr (S) {
          const LoadBits decides = (i.a & constant_operand) ? LoadBits{} : deps(i.a).as_odd();
          depend(i.dst, {x.bits != 0 ? i.b : i.c});
          deps(i.dst).join(decides);
        }
        if (x.mark & undefined_mark) [[unlikely]]
          write(i.dst, select(i.width, x, y, z));
        else write(i.dst, x.bits != 0 ? y : z);
        ++ip;
        continue;
      }
      case Op::ZExt: {
        const Cell x = fetch(i.a);
        HEDDLE_WAIT_IF_PENDING(x.mark | marks[i.dst])
        depend(i.dst, {i.a});
        if (x.mark != 0) [[unlikely]]
          HEDDLE_LEAVE(put(i.dst, zero_extend(i.sub, i.width, x)))
        write(i.dst, x);
        ++ip;
        continue;
      }
      case Op::Trunc:
      case Op::SExt: {
        const Cell x = fetch(i.a);
        HEDDLE_WAIT_IF_PENDING(x.mark | marks[i.dst])
        depend(i.dst, {i.a});
        if (x.mark != 0) [[unlikely]] {
          const Outcome r =
              i.op == Op::Trunc ? trunc(i.width, x, i.sub != 0 ? i.sub : i.width) : sign_extend(i.sub, i.width, x);
          note_addresses(r, x, {});
          HEDDLE_LEAVE(put(i.dst, r))
        }
        write(i.dst, {(i.op == Op::Trunc ? x.bits : static_cast<std::uint64_t>(sign_extended(x.bits, i.sub))) &
                          mask_of(i.width),
                      0});
        ++ip;
        continue;
      }
        HEDDLE_BINARY(Add, p + q)
        HEDDLE_BINARY(Sub, p - q)
        HEDDLE_BINARY(Mul, p * q)
        HEDDLE_BINARY(Scale, scaled(p, q))
        HEDDLE_BINARY(And, p & q)
        HEDDLE_BINARY(Or, p | q)
        HEDDLE_BINARY(Xor, p ^ q)
        HEDDLE_SHIFT(Shl, p << q)
        HEDDLE_SHIFT(LShr, p >> q)
        HEDDLE_SHIFT(AShr, static_cast<std::uint64_t>(sign_extended(p, i.width) >> q))
        HEDDLE_COMPARE(Eq, p == q)
        HEDDLE_COMPARE(Ne, p != q)
        HEDDLE_COMPARE(ULt, p < q)
        HEDDLE_COMPARE(ULe, p <= q)
        HEDDLE_COMPARE(SLt, sp < sq)
        HEDDLE_COMPARE(SLe, sp <= sq)
      case Op::UDiv:
      case Op::SDiv:
      case Op::URem:
      case Op::SRem: {
        depend(i.dst, {i.a, i.b});
        HEDDLE_LEAVE(slow_binary(i, fetch(i.a), fetch(i.b)))
      }
      case Op::PtrAdd:
      case Op::PtrAddConst: {
        const Cell x = fetch(i.a);
        const Cell y =
            i.op == Op::PtrAdd
                ? fetch(i.b)
                : Cell{static_cast<std::uint64_t>(static_cast<std::int64_t>(static_cast<std::int32_t>(i.imm))), 0};
        HEDDLE_WAIT_IF_PENDING(x.mark | y.mark | marks[i.dst])
        if (i.op == Op::PtrAdd) depend(i.dst, {i.a, i.b});
        else depend(i.dst, {i.a});
        if ((x.mark & any_pointer) && !(x.mark & far_mark) && upper(x.bits) != 0 && y.mark == 0 &&
            static_cast<std::int64_t>(y.bits) == static_cast<std::int32_t>(y.bits)) [[likely]] {
          const std::int64_t offset =
              std::int64_t{static_cast<std::int32_t>(x.bits)} + static_cast<std::int32_t>(y.bits);
          if (offset == static_cast<std::int32_t>(offset)) [[likely]] {
            write(i.dst, {(x.bits & 0xffffffff00000000) | lower(static_cast<std::uint64_t>(offset)), x.mark});
            ++ip;
            continue;
          }
        }
        HEDDLE_LEAVE(put(i.dst, pointer_add(x, y)))
      }
      case Op::Load: HEDDLE_LEAVE(load(i))
      case Op::Store: HEDDLE_LEAVE(store(i))
      case Op::Call: HEDDLE_LEAVE(call(i.b | static_cast<std::uint32_t>(i.c) << 16))
      case Op::Ret: HEDDLE_LEAVE(ret())
      case Op::Clear: {
        const Operand* list = function_->lists.data() + i.imm + 1;
        for (std::size_t n = *list++; n > 0; --n, ++list)
          if (!(marks[*list] & pending_mark)) {
            write(*list, {});
            if constexpr (S) deps(*list).clear();
          }
        ++ip;
        continue;
      }
      default: HEDDLE_LEAVE(rare(i))
    }
  }
#undef HEDDLE_LEAVE
#undef HEDDLE_BINARY
#undef HEDDLE_SHIFT
#undef HEDDLE_COMPARE
#undef HEDDLE_WAIT_IF_PENDING
}

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

Fault undefined_fault(const Cell& c) {
  if (!(c.mark & undefined_mark)) return Fault::PointerPart;
  return c.mark & conversion_mark  ? Fault::BadConversion
         : c.mark & operation_mark ? Fault::NoResult
                                   : Fault::Uninitialised;
}

Fault stored_fault(const Cell& c) {
  return c.mark & private_mark ? Fault::EscapedLocal : c.mark & far_mark ? Fault::FarPointer : Fault::None;
}

bool stored_as_number(const Cell& address, const Cell& value) {
  return (value.mark & pointer_mark) != 0 && lower(address.bits) % 8 != 0;
}

Fault address_fault(const Module& module, const Header& head, const Cell& c) {
  if (c.mark & any_pointer) {
    if (upper(c.bits) == 0) return Fault::Null;
    return c.mark & far_mark ? Fault::OutOfBounds : Fault::None;
  }
  if (c.mark & unusable_mark) return undefined_fault(c);
  if (c.bits < 4096) return Fault::Null;
  // A number that was made of a pointer (packed with a counter, xored with another) and taken apart again is that
  // pointer: from the making on, objects keep their names. Memory knows whether there is such an object. Where nobody
  // makes any, the number was invented; where only others may have made it, the address is assumed to be the object's.
  if (upper(c.bits) != 0 && c.bits < block_address) {
    if ((head.names_matter & names_used) != 0) return Fault::None;
    if (!module.numbers_of_pointers) return Fault::Wild;
    *module.number_followed = true;
    return Fault::None;
  }
  const std::uint32_t word = upper(c.bits) - private_object;
  return word < max_local_words ? Fault::EscapedLocal : Fault::Wild;
}

Fault write_fault(const Module& module, const std::byte* local, const Cell& c) {
  const Fault fault = address_fault(module, header(local), c);
  if (fault != Fault::None) return fault;
  auto object = upper(c.bits);
  for (std::size_t k = 0; object > module.globals.size() && k < module.tls.size(); ++k)
    if (upper(words(local)[header_words + k]) == object) object = module.tls[k];
  return object <= module.globals.size() && module.globals[object - 1].constant ? Fault::ReadOnly : Fault::None;
}

namespace {

// What every address of the object is a multiple of. Objects whose makers this thread does not know are taken for the
// heap's: stack and thread-local objects of other threads, those of variable size, and what is gone.
std::uint32_t alignment_of(const Module& module, const std::byte* local, const Cell& pointer) {
  const std::uint32_t object = upper(pointer.bits);
  if (object == 0) return 0x80000000;
  if (object <= module.global_alignments.size()) return module.global_alignments[object - 1];
  for (std::size_t k = 0; k < module.tls.size(); ++k)
    if (upper(words(local)[header_words + k]) == object) return module.global_alignments[module.tls[k] - 1];
  for (std::uint32_t at = header(local).top; at != 0; at = frame_at(local, at).previous) {
    const ConstFrame frame(module, local, at);
    for (const auto& [reg, alignment] : frame.function->loose_objects)
      if (upper(frame.regs[reg]) == object) return alignment;
  }
  return heap_alignment;
}

}  // namespace

bool misaligned(const Module& module, const std::byte* local, const Insn& i, const Cell& address) {
  const std::uint32_t bytes = (i.op == Op::Load || i.op == Op::Store) && i.imm != 0 ? i.imm : bytes_of(i.width);
  return lower(address.bits) % bytes != 0 || alignment_of(module, local, address) < bytes;
}

std::uint8_t addresses_used(const Module& module, const std::byte* local, const Outcome& r, const Cell& a,
                            const Cell& b) {
  if (r.leaked) return names_used;
  if (r.low_bits == 0) return 0;
  return r.low_bits >= alignment_of(module, local, a.mark & any_pointer ? a : b) ? bits_used : std::uint8_t{0};
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

std::uint32_t frame_count(const std::byte* local) {
  std::uint32_t count = 0;
  for (std::uint32_t at = header(local).top; at != 0; at = frame_at(local, at).previous) ++count;
  return count;
}

std::uint32_t frame_number(const std::byte* local, std::uint64_t number) {
  std::uint64_t n = frame_count(local);
  if (number == 0 || number > n) return 0;
  std::uint32_t at = header(local).top;
  for (; n > number; --n) at = frame_at(local, at).previous;
  return at;
}

const Insn* active_landing(const Module& module, const std::byte* local, std::uint32_t frame) {
  const Function& f = module.functions[frame_at(local, frame).function];
  const Insn& i = f.code[frame_at(local, frame).pc];
  if ((i.op != Op::Call && i.op != Op::CallInd) || i.dst == 0) return nullptr;
  return &f.code[f.landings[i.dst - 1u]];
}

Cell frame_fact(const Module& module, const std::byte* local, std::uint64_t number, FrameFact fact) {
  const std::uint32_t at = frame_number(local, number);
  if (at == 0) return {};
  const std::uint32_t function = frame_at(local, at).function;
  const Function& f = module.functions[function];
  const Insn* landing = active_landing(module, local, at);
  switch (fact) {
    case FrameFact::Table:
      if (f.exception_table == 0) return {};
      return {std::uint64_t{f.exception_table} << 32, pointer_mark};
    case FrameFact::Personality: return {f.personality, 0};
    case FrameFact::Function: return {function_address + 16 * std::uint64_t{function}, 0};
    case FrameFact::Invoke: return {landing == nullptr ? 0 : std::uint64_t{landing->a}, 0};
    case FrameFact::Flags:
      return {(f.nounwind ? frame_nounwind : 0) | (f.library ? frame_library : 0) |
                  (landing != nullptr && (landing->sub & terminates_bit) ? frame_terminates : 0) |
                  (f.atomic ? frame_atomic : 0),
              0};
  }
  return {};
}

bool pending_above(const Module& module, const std::byte* local, std::uint32_t target) {
  if (!module.pending_loads) return false;
  for (std::uint32_t at = header(local).top; at != 0 && at != target; at = frame_at(local, at).previous) {
    const ConstFrame frame(module, local, at);
    for (std::uint32_t r = 0; r < frame.function->registers; ++r)
      if (frame.marks[r] & pending_mark) return true;
  }
  return false;
}

void run(const Module& module, core::Local& local, LoadShadow* shadow, std::uint64_t max_jumps) {
  if (shadow != nullptr) Runner<true>(module, local, shadow, max_jumps).run();
  else Runner<false>(module, local, nullptr, max_jumps).run();
}

}  // namespace heddle::vm
