// SPDX-License-Identifier: Apache-2.0
#include "vm/vm_program.h"

#include <cstring>

#include "core/address_deps.h"
#include "core/verdict.h"
#include "support/diagnostics.h"
#include "vm/arithmetic.h"
#include "vm/interpreter.h"

namespace heddle::vm {
namespace {

bool has_address(Op op) {
  return op == Op::Load || op == Op::Store || op == Op::Rmw || op == Op::Cas || op == Op::Output || is_wait(op);
}

core::Loc location(const Cell& address, unsigned size) { return {upper(address.bits), lower(address.bits), size}; }

core::Order order_of(std::uint8_t sub) { return static_cast<core::Order>(sub & order_bits); }

// Whether the instruction at rest needs a register that is under way (or would overwrite one).
bool waits_for_register(const ConstFrame& frame, const Insn& i) {
  const auto shape = shape_of(i.op);
  auto pending = [&](Operand o) { return (frame.get(o).mark & pending_mark) != 0; };
  if (shape & P) return false;
  if (((shape & A) && pending(i.a)) || ((shape & B) && pending(i.b)) || ((shape & C) && pending(i.c)) ||
      ((shape & D) && pending(i.dst)))
    return true;
  return false;
}

// The frame that a jump out of functions leads to; 0: none, the local variables of all end.
template <class F>
std::uint32_t left_until(const std::byte* local, const F& frame, const Insn& i) {
  if (i.op == Op::ThreadExit || i.op == Op::EndLocals) return 0;
  return i.op == Op::Unwind ? frame_number(local, frame.get(i.a).bits) : upper(frame.get(i.a).bits);
}

std::uint32_t first_tls(const Module& module, const std::byte* local) {
  for (std::uint32_t k = 0; k < module.tls.size(); ++k)
    if (words(local)[header_words + k] != 0) return k;
  return static_cast<std::uint32_t>(module.tls.size());
}

void end_thread(const Module& module, core::Local& local) {
  if (first_tls(module, local.data()) != module.tls.size()) return;
  auto& head = header(local.data());
  const auto tid = head.tid;
  const auto names_matter = head.names_matter;  // a number that was made of a pointer may outlive the thread
  std::memset(local.data(), 0, header_words * 8);
  local.resize(header_words * 8);
  auto& fresh = header(local.data());
  fresh.tid = tid;
  fresh.status = Status::Ended;
  fresh.names_matter = names_matter;
}

Fault fault_of(core::Fault fault) {
  switch (fault) {
    case core::Fault::None: return Fault::None;
    case core::Fault::Null: return Fault::Null;
    case core::Fault::Wild: return Fault::Wild;
    case core::Fault::OutOfBounds: return Fault::OutOfBounds;
    case core::Fault::Freed: return Fault::Freed;
    case core::Fault::ReadOnly: return Fault::ReadOnly;
    case core::Fault::DoubleFree: return Fault::DoubleFree;
    case core::Fault::InvalidFree: return Fault::InvalidFree;
    case core::Fault::Misaligned: return Fault::Misaligned;
  }
  return Fault::Wild;
}

// Fewer than eight bytes of a pointer: a number that depends on an object's name.
bool is_pointer_part(const Insn& i, const core::Value& value) {
  return value.pointer && i.width < 64 && (i.op == Op::Load || i.op == Op::Rmw || i.op == Op::Cas);
}

}  // namespace

VmProgram::VmProgram(Module module, VmOptions options) : module_(std::move(module)), options_(options) {}

core::Features VmProgram::features() const {
  core::Features f;
  f.pending_loads = module_.pending_loads;
  f.dependencies = true;
  f.mixed_sizes = true;
  return f;
}

std::vector<core::Program::Entry> VmProgram::initial_threads() const { return {{module_.entry, core::Value()}}; }

void VmProgram::start(std::uint32_t entry, core::Value arg, core::Tid self, core::Local& local,
                      core::Shadow* shadow) const {
  local.assign((header_words + module_.tls.size()) * 8, std::byte{0});
  header(local.data()).tid = static_cast<std::uint16_t>(self);
  if (module_.addresses_in_constants) header(local.data()).names_matter = bits_used;
  const auto at = push_frame(module_, local, entry, 0);
  const Function& f = module_.functions[entry];
  Frame frame(module_, local.data(), at);
  for (std::size_t k = 0; k < f.params.size(); ++k) {
    const auto r = f.params[k];
    const Cell c = k == 0 ? to_cell(arg) : Cell{0, undefined_mark};
    frame.regs[r] = c.bits;
    frame.marks[r] = c.mark;
  }
  if (f.atomic) header(local.data()).atomic_depth = 1;
  auto* loads = static_cast<LoadShadow*>(shadow);
  if (loads != nullptr && self == 0) {
    loads->alone = true;
    loads = nullptr;
  }
  if (loads != nullptr) loads->resize(local.size() / 8);
  run(module_, local, loads, options_.max_jumps);
  if (header(local.data()).status == Status::Ending) end_thread(module_, local);
}

core::Request VmProgram::request(core::ConstLocal local) const {
  core::Request q;
  const auto* base = local.data();
  const auto& head = header(base);
  switch (head.status) {
    case Status::Running: break;
    case Status::Ended: q.kind = core::Kind::Ended; return q;
    case Status::Blocked: q.kind = core::Kind::Blocked; break;
    case Status::Idle: q.kind = core::Kind::Diverges; break;
    case Status::Failed: q.kind = core::Kind::Failed; break;
    case Status::Ending:
      q.kind = core::Kind::Free;
      q.storage = core::AllocKind::Thread;
      q.value = to_value({words(base)[header_words + first_tls(module_, base)], pointer_mark});
      return q;
  }
  const ConstFrame frame(module_, base, head.top);
  const auto pc = frame_at(base, head.top).pc;
  const Insn& i = frame.function->code[pc];
  q.site = frame.function->sites[pc];
  if (head.status != Status::Running) return q;
  q.locked = head.atomic_depth > 0;
  q.joined = q.locked && head.in_step != 0;
  if (waits_for_register(frame, i)) {
    q.kind = core::Kind::Await;
    return q;
  }
  auto operand = [&](Operand o) { return to_value(frame.get(o)); };
  // What memory gets: the width says which bits there are.
  auto stored = [&](Operand o) {
    const Cell c = frame.get(o);
    if (stored_as_number(frame.get(i.a), c)) return core::Value(flat(c));
    return to_value(c, i.width);
  };
  q.slot = static_cast<core::Slot>(head.top + frame_header_words + i.dst);
  const unsigned bytes = bytes_of(i.width);
  switch (i.op) {
    case Op::Load:
      q.kind = core::Kind::Load;
      q.order = order_of(i.sub);
      q.loc = location(frame.get(i.a), bytes);
      break;
    case Op::Store:
      q.kind = core::Kind::Store;
      q.order = order_of(i.sub);
      q.loc = location(frame.get(i.a), bytes);
      q.value = stored(i.b);
      break;
    case Op::Cas:
      q.expected = stored(i.c);
      q.failure = static_cast<core::Order>((i.imm >> 12) & 7);
      q.weak = ((i.imm >> 16) & 1) != 0;
      [[fallthrough]];
    case Op::Rmw:
      q.kind = core::Kind::Rmw;
      q.op = static_cast<core::RmwOp>(i.imm & 0xff);
      q.order = static_cast<core::Order>((i.imm >> 8) & 7);
      q.loc = location(frame.get(i.a), bytes);
      q.value = stored(i.b);
      q.unlocks = i.op == Op::Rmw && (i.imm & unlock_bit) != 0;
      if (q.unlocks && module_.pending_loads) q.order = core::Order::Release;
      break;
    case Op::WaitCas:
      q.kind = core::Kind::Rmw;
      q.op = core::RmwOp::Cas;
      q.waits = true;
      q.owned = (i.sub & owner_bit) != 0;
      // Machines that reorder accesses have locks that order no more than C asks for; under the other models a lock's
      // two ends are seq_cst, which is the same for whoever uses nothing weaker.
      q.order = q.failure = q.owned && module_.pending_loads ? core::Order::Acquire : core::Order::SeqCst;
      q.loc = location(frame.get(i.a), bytes);
      q.expected = operand(i.b);
      q.value = operand(i.c);
      break;
    case Op::WaitEq:
      q.kind = core::Kind::Load;
      q.order = core::Order::SeqCst;
      q.waits = true;
      q.loc = location(frame.get(i.a), bytes);
      q.expected = operand(i.b);
      if (i.sub & bits_bit) q.awaited = q.expected.bits;
      break;
    case Op::WaitAdd:
      q.kind = core::Kind::Rmw;
      q.op = core::RmwOp::Add;
      q.order = q.failure = core::Order::SeqCst;
      q.waits = true;
      q.loc = location(frame.get(i.a), bytes);
      q.expected = operand(i.b);
      q.awaited = q.expected.bits;
      q.value = operand(i.c);
      break;
    case Op::Fence:
      q.kind = core::Kind::Fence;
      q.order = order_of(i.sub);
      q.tag = static_cast<core::Tag>(i.imm);
      break;
    case Op::Alloc:
    case Op::DynAlloc:
      q.kind = core::Kind::Alloc;
      q.value = operand(i.a);
      q.storage = static_cast<core::AllocKind>(i.imm);
      break;
    case Op::Tls: {
      const auto object = module_.tls[i.imm];
      q.kind = core::Kind::Alloc;
      q.value = core::Value(module_.globals[object - 1].size);
      q.expected = core::Value::address(object, 0);
      q.storage = module_.globals[object - 1].outside ? core::AllocKind::Outside : core::AllocKind::Thread;
      break;
    }
    case Op::Free:
    case Op::StackFree:
      q.kind = core::Kind::Free;
      q.value = operand(i.a);
      q.value.pointer = true;  // or a number that was made of one
      q.storage = i.op == Op::Free ? core::AllocKind::Heap : core::AllocKind::Stack;
      break;
    case Op::Ret:
    case Op::StackRestore:
      if (frame_at(base, head.top).dynamic == 0) {
        q.kind = core::Kind::Await;
        break;
      }
      q.kind = core::Kind::Free;
      q.storage = core::AllocKind::Stack;
      q.value = to_value({words(base)[dynamic_word(module_, base, head.top)], pointer_mark});
      break;
    case Op::LongJmp:
    case Op::Unwind:
    case Op::ThreadExit:
    case Op::EndLocals:
      if (pending_above(module_, base, left_until(base, frame, i))) {
        q.kind = core::Kind::Await;
        break;
      }
      q.kind = core::Kind::Free;
      q.storage = core::AllocKind::Stack;
      q.value = to_value({doomed_by_jump(module_, base, left_until(base, frame, i)).pointer, pointer_mark});
      break;
    case Op::ObjectSize:
      q.kind = core::Kind::Load;
      q.loc = location(frame.get(i.a), 0);
      break;
    case Op::Output:
      q.kind = core::Kind::Load;
      q.loc = location(frame.get(i.a), static_cast<unsigned>(frame.get(i.b).bits));
      q.output = i.sub;
      break;
    case Op::Choose:
      q.kind = core::Kind::Choose;
      q.value = operand(i.a);
      break;
    case Op::Point:  // arriving and going on: each is a step that changes nothing else
      q.kind = core::Kind::Choose;
      q.value = core::Value(1);
      break;
    case Op::Spawn:
      q.kind = core::Kind::Spawn;
      q.entry = static_cast<std::uint32_t>((frame.get(i.a).bits - function_address) / 16);
      q.value = operand(i.b);
      break;
    case Op::Join:
      q.kind = core::Kind::Join;
      q.value = operand(i.a);
      break;
    case Op::Exit:
      q.kind = core::Kind::Exit;
      q.value = operand(i.a);
      break;
    default: q.kind = core::Kind::Await; break;
  }
  return q;
}

void VmProgram::resume(core::Local& local, const core::Answer& answer, core::Shadow* shadow) const {
  auto& head = header(local.data());
  auto* whole = static_cast<LoadShadow*>(shadow);
  auto* loads = whole != nullptr && !whole->alone ? whole : nullptr;
  if (head.status == Status::Ending) {
    words(local.data())[header_words + first_tls(module_, local.data())] = 0;
    end_thread(module_, local);
    return;
  }
  HEDDLE_ASSERT(head.status == Status::Running);
  Frame frame(module_, local.data(), head.top);
  auto& fh = frame_at(local.data(), head.top);
  const Insn& i = frame.function->code[fh.pc];
  if (answer.fault != core::Fault::None) {
    if (i.op == Op::ObjectSize && i.sub == facts_bit) return resume(local, {core::Value(no_object)}, shadow);
    fail(local, fault_of(answer.fault));
    return;
  }
  if (is_pointer_part(i, answer.value)) head.names_matter = 1;
  if (is_wait(i.op) && answer.value.undefined != 0) {  // a lock that was never initialised
    fail(local, Fault::Uninitialised);
    return;
  }
  if (head.atomic_depth > 0) head.in_step = 1;
  if (i.op == Op::Point && head.point == 0) {
    head.point = static_cast<std::uint16_t>(i.imm);
    return;
  }
  head.point = 0;
  auto set = [&](Operand r, Cell c) {
    frame.regs[r] = c.bits;
    frame.marks[r] = c.mark;
  };
  auto depends_on_this_load = [&](Operand r) {
    if (loads == nullptr) return;
    const auto at = head.top + frame_header_words + r;
    if (loads->words.size() <= at) loads->words.resize(at + 1);
    loads->words[at].clear();
    loads->words[at].set(2 * loads->loads);
  };
  auto value_deps = [&](Operand o) {
    const auto at = head.top + frame_header_words + o;
    return (o & constant_operand) || at >= loads->words.size() ? LoadBits{} : loads->words[at];
  };
  auto depends_on_nothing = [&](Operand r) {
    const auto at = head.top + frame_header_words + r;
    if (loads != nullptr && at < loads->words.size()) loads->words[at].clear();
  };
  if (i.op == Op::Rmw && i.width == 64 && !frame.function->library) {
    const Cell old = to_cell(answer.value), value = frame.get(i.b);
    if ((old.mark | value.mark) & any_pointer)
      head.names_matter |= addresses_used(
          module_, local.data(), rmw_math(static_cast<core::RmwOp>(i.imm & 0xff), i.width, old, value), old, value);
  }
  if (loads != nullptr && has_address(i.op) && !(i.a & constant_operand))
    if (const auto at = head.top + frame_header_words + i.a; at < loads->words.size())
      loads->control.join(loads->words[at].odd());
  ++fh.pc;
  switch (i.op) {
    case Op::Load:
      set(i.dst, to_cell(answer.value, i.width));
      depends_on_this_load(i.dst);
      break;
    case Op::Rmw:
      set(i.dst, to_cell(answer.value, i.width));
      // Whose lock it was is a question of the checker's, which orders nothing that the program does.
      if (i.imm & unlock_bit) depends_on_nothing(i.dst);
      else depends_on_this_load(i.dst);
      break;
    case Op::Cas: {
      const Cell old = to_cell(answer.value, i.width), expected = frame.get(i.c);
      bool equal = old.bits == expected.bits;
      if ((old.mark | expected.mark) & undefined_mark) {
        bool padding = module_.cxx;
        const Cell same = cas_equal(i.width, old, expected, padding).cell;
        if (same.mark != 0) {
          --fh.pc;
          fail(local, undefined_fault({0, static_cast<Mark>(old.mark | expected.mark)}));
          return;
        }
        if (padding) *module_.padding_ignored = true;
        equal = same.bits != 0;
      }
      const bool success = equal && !answer.spurious;
      const Operand flag = frame.function->code[fh.pc].dst;
      set(i.dst, old);
      depends_on_this_load(i.dst);
      set(flag, {success, 0});
      depends_on_this_load(flag);
      if (loads != nullptr) {
        LoadBits& of_flag = loads->words[head.top + frame_header_words + flag];
        const auto of_expected = head.top + frame_header_words + i.c;
        if (!(i.c & constant_operand) && of_expected < loads->words.size()) of_flag.join(loads->words[of_expected]);
        of_flag = of_flag.as_odd();
      }
      ++fh.pc;
      break;
    }
    case Op::Alloc:
      set(i.dst, to_cell(answer.value));
      depends_on_nothing(i.dst);
      break;
    case Op::DynAlloc: {
      set(i.dst, to_cell(answer.value));
      depends_on_nothing(i.dst);
      ++fh.dynamic;
      local.resize(local.size() + 8);
      words(local.data())[local.size() / 8 - 1] = answer.value.bits;
      break;
    }
    case Op::Tls:
      words(local.data())[header_words + i.imm] = answer.value.bits;
      --fh.pc;
      break;
    case Op::StackFree: set(i.a, {}); break;
    case Op::Ret:
    case Op::StackRestore:
      --fh.pc;
      --fh.dynamic;
      local.resize(local.size() - 8);
      break;
    case Op::LongJmp:
    case Op::Unwind:
    case Op::ThreadExit:
    case Op::EndLocals: {
      --fh.pc;
      const auto object = doomed_by_jump(module_, local.data(), left_until(local.data(), frame, i));
      if (object.reg < 0) {
        words(local.data())[dynamic_word(module_, local.data(), object.frame)] = 0;
        --frame_at(local.data(), object.frame).dynamic;
      } else {
        Frame owner(module_, local.data(), object.frame);
        owner.regs[object.reg] = 0;
        owner.marks[object.reg] = 0;
      }
      break;
    }
    case Op::ObjectSize:                           // its upper half is the family of the allocation
      if (loads != nullptr && i.sub != facts_bit)  // it may depend on what the size came from
        for (std::uint32_t load = 0; load < loads->loads; ++load) loads->hidden.set(2 * load + 1);
      set(i.dst, {i.sub == facts_bit ? answer.value.bits : lower(answer.value.bits), 0});
      depends_on_nothing(i.dst);
      break;
    case Op::Choose:
      if (loads != nullptr) loads->hidden.join(value_deps(i.a).as_odd());
      [[fallthrough]];
    case Op::Spawn:
      set(i.dst, to_cell(answer.value));
      depends_on_nothing(i.dst);
      if (whole != nullptr && whole->alone) {
        loads = whole;
        loads->alone = false;
        loads->resize(local.size() / 8);
      }
      break;
    case Op::Exit:
      head.status = Status::Ending;
      local.resize((header_words + module_.tls.size()) * 8);
      std::memset(local.data() + header_words * 8, 0, module_.tls.size() * 8);
      end_thread(module_, local);
      return;
    default: break;  // Store, Fence, Free, Join, waits, Output: nothing comes back
  }
  if (whole != nullptr &&
      (i.op == Op::Load || i.op == Op::Rmw || i.op == Op::Cas || is_wait(i.op) || i.op == Op::Output)) {
    if (is_wait(i.op) && loads != nullptr) loads->control.set(2 * loads->loads);
    ++whole->loads;
  }
  run(module_, local, loads, options_.max_jumps);
  if (header(local.data()).status == Status::Ending) end_thread(module_, local);
}

void VmProgram::defer(core::Local& local) const {
  auto& head = header(local.data());
  Frame frame(module_, local.data(), head.top);
  auto& fh = frame_at(local.data(), head.top);
  const Insn& i = frame.function->code[fh.pc];
  HEDDLE_ASSERT((i.op == Op::Load || i.op == Op::Output) && module_.pending_loads);
  if (head.atomic_depth > 0) head.in_step = 1;
  // While it is under way the register remembers how to take the value.
  frame.regs[i.dst] = fh.function | std::uint64_t{fh.pc} << 32;
  frame.marks[i.dst] = pending_mark;
  ++fh.pc;
  run(module_, local, nullptr, options_.max_jumps);
  if (header(local.data()).status == Status::Ending) end_thread(module_, local);
}

void VmProgram::deliver(core::Local& local, core::Slot slot, const core::Answer& answer) const {
  auto& head = header(local.data());
  // The frame that holds the slot.
  auto at = head.top;
  while (at > slot) at = frame_at(local.data(), at).previous;
  Frame frame(module_, local.data(), at);
  const auto r = static_cast<Operand>(slot - at - frame_header_words);
  HEDDLE_ASSERT(frame.marks[r] & pending_mark);
  const auto pc = static_cast<std::uint32_t>(frame.regs[r] >> 32);
  if (answer.fault != core::Fault::None) {
    // The failure belongs to the place of the load: unwind to it.
    local.resize(std::max(local.size(), std::size_t{at} * 8));
    head.top = at;
    frame_at(local.data(), at).pc = pc;
    frame.marks[r] = 0;
    frame.regs[r] = 0;
    fail(local, fault_of(answer.fault));
    return;
  }
  if (is_pointer_part(frame.function->code[pc], answer.value)) head.names_matter = 1;
  const Cell c = to_cell(answer.value, frame.function->code[pc].width);
  frame.regs[r] = c.bits;
  frame.marks[r] = c.mark;
  const auto& fh = frame_at(local.data(), at);
  if (!frame.function->live.empty()) {
    // A value that nobody waits for any more. Below a call, the registers live after it count; they are live before it.
    const auto* live = frame.function->live.data() + std::size_t{fh.pc} * frame.function->live_words;
    if (!((live[r / 64] >> (r % 64)) & 1)) {
      frame.regs[r] = 0;
      frame.marks[r] = 0;
    }
  }
  if (head.status != Status::Running) return;
  run(module_, local, nullptr, options_.max_jumps);
  if (header(local.data()).status == Status::Ending) end_thread(module_, local);
}

std::unique_ptr<core::Shadow> VmProgram::make_shadow() const { return std::make_unique<LoadShadow>(); }
std::unique_ptr<core::Shadow> VmProgram::copy_shadow(const core::Shadow& s) const {
  return std::make_unique<LoadShadow>(static_cast<const LoadShadow&>(s));
}

core::Deps VmProgram::deps(core::ConstLocal local, const core::Shadow& shadow) const {
  const auto& loads = static_cast<const LoadShadow&>(shadow);
  core::Deps d;
  LoadBits control = loads.control;
  const auto& head = header(local.data());
  const auto of = [&](Operand o) -> LoadBits {
    if (o & constant_operand) return {};
    const auto at = head.top + frame_header_words + o;
    return at < loads.words.size() ? loads.words[at] : LoadBits{};
  };
  // Here pick dependencies become control dependencies.
  const auto used = [&](std::initializer_list<Operand> operands) {
    LoadBits all;
    for (const Operand o : operands) all.join(of(o));
    control.join(all.odd());
    return all.even_halves();
  };
  // Loads that decide what is written, freed or asked for, and need not come before what the thread does later.
  bool hides = false;
  const auto decide = [&](const LoadBits& decisive) { hides |= !loads.control.as_odd().contains(decisive.as_odd()); };
  const auto finish = [&] {
    d.ctrl = control.as_odd().odd_halves();
    for (const std::uint32_t load : loads.addresses.even_halves()) d.ctrl.push_back(load + core::by_address);
    if (hides) d.ctrl.push_back(core::hides);
    if (!control.as_odd().contains(loads.hidden)) d.ctrl.push_back(core::hidden);
    return d;
  };
  if (head.status != Status::Running) return finish();
  const ConstFrame frame(module_, local.data(), head.top);
  const Insn& i = frame.function->code[frame_at(local.data(), head.top).pc];
  const auto shape = shape_of(i.op);
  if (!(shape & V)) return finish();
  switch (i.op) {
    case Op::Load:
    case Op::Output: d.addr = used({i.a}); break;
    case Op::ObjectSize:
      d.addr = used({i.a});
      decide(of(i.a));
      break;
    case Op::Free:
    case Op::StackFree:
      d.data = used({i.a});
      decide(of(i.a));
      break;
    case Op::Store:
    case Op::Rmw:
    case Op::WaitEq:
      d.addr = used({i.a});
      d.data = used({i.b});
      decide(of(i.b).odd());
      break;
    case Op::Cas:
      d.addr = used({i.a});
      d.data = used({i.b});
      control.join(of(i.c));
      decide(of(i.b).odd());
      decide(of(i.c));
      break;
    case Op::WaitCas:
    case Op::WaitAdd:
      d.addr = used({i.a});
      d.data = used({i.b, i.c});
      decide(of(i.b).odd());
      decide(of(i.c).odd());
      break;
    default:
      if (shape & A) d.data = used({i.a});
      break;
  }
  finish();
  // Only what others see of it later can come of what was read back.
  const bool reads = i.op == Op::Load || i.op == Op::Output || i.op == Op::ObjectSize;
  if (loads.read_back && !reads && i.op != Op::Exit && i.op != Op::ThreadExit) d.ctrl.push_back(core::read_back);
  return d;
}

void VmProgram::visit_pointers(core::Local& local, const std::function<void(core::Value&)>& visit) const {
  auto* base = local.data();
  auto& head = header(base);
  auto word = [&](std::uint64_t& bits) {
    core::Value v = to_value({bits, pointer_mark});  // of a far pointer the offset is a number, and stays one
    visit(v);
    bits = v.bits;
  };
  if (head.thread_pointer_mark & pointer_mark) word(head.thread_pointer);
  if (head.status == Status::Ended) return;
  for (std::size_t k = 0; k < module_.tls.size(); ++k)
    if (words(base)[header_words + k] != 0) word(words(base)[header_words + k]);
  if (head.status == Status::Ending) return;
  for (std::uint32_t at = head.top; at != 0; at = frame_at(base, at).previous) {
    Frame frame(module_, base, at);
    const auto& fh = frame_at(base, at);
    for (std::uint32_t r = 0; r < frame.function->registers; ++r)
      if (frame.marks[r] & pointer_mark) word(frame.regs[r]);
    auto object = [&](std::uint64_t* w) {
      const auto count = static_cast<std::uint32_t>((*w + 7) / 8);
      auto* marks = marks_at(w + 1 + count);
      for (std::uint32_t k = 0; k < count; ++k)
        if (marks[k] & pointer_mark) word(w[1 + k]);
    };
    for (const auto& slot : frame.function->privates) object(words(base) + at + slot.word);
    if (frame.function->variadic) object(words(base) + at + frame.function->frame_words);
    if (fh.dynamic != 0) {
      const auto last = dynamic_word(module_, base, at);
      for (std::uint32_t k = 0; k < fh.dynamic; ++k) word(words(base)[last - k]);
    }
  }
}

std::vector<std::string> VmProgram::assumptions() const {
  std::vector<std::string> clauses = module_.assumptions;
  if (*module_.padding_ignored)
    clauses.emplace_back("bits that were never set are padding where a compare-exchange compares them");
  if (*module_.number_followed) clauses.emplace_back(core::addresses_were_chosen);
  return clauses;
}

bool VmProgram::names_matter(core::ConstLocal local) const { return header(local.data()).names_matter != 0; }

}  // namespace heddle::vm
