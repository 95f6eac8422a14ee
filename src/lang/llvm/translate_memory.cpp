// Allocas, loads, stores, atomics, block copies and variadic arguments.
// SPDX-License-Identifier: Apache-2.0
#include <llvm/Analysis/ValueTracking.h>

#include "lang/llvm/link.h"
#include "lang/llvm/scope.h"
#include "lang/llvm/translate.h"

namespace heddle::lang::llvm_ir {

using vm::DraftOperand;
using vm::no_operand;
using vm::Op;

namespace {

constexpr std::uint64_t largest_private = 4096;      // bytes; local states are copied and hashed
constexpr std::uint64_t largest_unrolled_copy = 64;  // bytes
// Spare bytes of an object that holds variadic arguments, so that it is never empty: before them, where a read of one
// too many does not find them, and as many as keep the alignment.
constexpr std::uint64_t va_front = 16;

std::uint8_t access_sub(core::Order order, bool is_volatile) {
  return static_cast<std::uint8_t>(static_cast<unsigned>(order) | (is_volatile ? vm::volatile_bit : 0));
}

// Has the type vectors whose elements are no whole bytes?
bool packs_bits(const llvm::Type& type, const llvm::DataLayout& layout) {
  if (type.isVectorTy()) return layout.getTypeSizeInBits(type.getScalarType()).getFixedValue() % 8 != 0;
  return llvm::any_of(type.subtypes(), [&](const llvm::Type* part) { return packs_bits(*part, layout); });
}

// May a copy be one between overlapping regions? Not between two variables.
bool may_overlap(const llvm::MemTransferInst& m) {
  const auto* to = llvm::getUnderlyingObject(m.getRawDest());
  const auto* from = llvm::getUnderlyingObject(m.getRawSource());
  const auto variable = [](const llvm::Value* v) { return llvm::isa<llvm::AllocaInst, llvm::GlobalVariable>(v); };
  return to == from || !variable(to) || !variable(from);
}

// Is the address, or one derived from it, an argument of a call?
bool passed_on(const llvm::Value& address) {
  for (const auto* user : address.users()) {
    if (llvm::isa<llvm::CallBase>(user) && !llvm::isa<llvm::IntrinsicInst>(user)) return true;
    if (llvm::isa<llvm::GetElementPtrInst, llvm::PHINode, llvm::SelectInst>(user) &&
        (llvm::isa<llvm::PHINode>(user) || passed_on(*user)))
      return true;
  }
  return false;
}

}  // namespace

core::Order order_of(llvm::AtomicOrdering o) {
  switch (o) {
    case llvm::AtomicOrdering::NotAtomic: return core::Order::Plain;
    case llvm::AtomicOrdering::Unordered:
    case llvm::AtomicOrdering::Monotonic: return core::Order::Relaxed;
    case llvm::AtomicOrdering::Acquire: return core::Order::Acquire;
    case llvm::AtomicOrdering::Release: return core::Order::Release;
    case llvm::AtomicOrdering::AcquireRelease: return core::Order::AcqRel;
    case llvm::AtomicOrdering::SequentiallyConsistent: return core::Order::SeqCst;
  }
  return core::Order::SeqCst;
}

void FunctionTranslator::classify_allocas() {
  for (const auto& b : function_)
    for (const auto& i : b) {
      const auto* a = llvm::dyn_cast<llvm::AllocaInst>(&i);
      if (a == nullptr) continue;
      if (!a->isStaticAlloca()) {
        homes_[a] = Home::Dynamic;
        continue;
      }
      auto same_shape = [&](llvm::Type* t) {
        if (t == a->getAllocatedType()) return true;
        std::vector<Part> x, y;
        if (!module_.flatten(t, x) || !module_.flatten(a->getAllocatedType(), y) || x.size() != 1 || y.size() != 1)
          return false;
        return x[0].width == y[0].width;
      };
      std::vector<Part> parts;
      bool whole = !a->isArrayAllocation() && module_.flatten(a->getAllocatedType(), parts) && !parts.empty() &&
                   parts.size() <= 8;
      for (const auto* user : a->users()) {
        if (const auto* l = llvm::dyn_cast<llvm::LoadInst>(user)) whole &= same_shape(l->getType());
        else if (const auto* s = llvm::dyn_cast<llvm::StoreInst>(user))
          whole &=
              s->getPointerOperand() == a && s->getValueOperand() != a && same_shape(s->getValueOperand()->getType());
        else if (const auto* in = llvm::dyn_cast<llvm::IntrinsicInst>(user)) whole &= in->isLifetimeStartOrEnd();
        else whole = false;
      }
      if (whole && !(lives_in_block(*a) && used_after_its_end(*a))) {
        homes_[a] = Home::Registers;
        Parts& slot = slots_[a];
        for (std::size_t k = 0; k < parts.size(); ++k) slot.push_back(fresh());
        continue;
      }
      const auto size = a->getAllocationSize(layout_);
      const bool small = size && size->getFixedValue() <= largest_private;
      const bool outlived = lives_in_block(*a) && kept_until_it_begins_again(*a);
      homes_[a] = small && !outlived && !module_.escape().escapes(a) ? Home::Private : Home::Object;
    }
}

// Whether the variable lives from marker to marker instead of as long as its function's frame.
bool FunctionTranslator::lives_in_block(const llvm::AllocaInst& a) const {
  if (!function_.hasFnAttribute(scopes_attribute)) return false;
  for (const auto* user : a.users())
    if (const auto* i = llvm::dyn_cast<llvm::IntrinsicInst>(user);
        i != nullptr && i->getIntrinsicID() == llvm::Intrinsic::lifetime_start)
      return true;
  return false;
}

// In optimised code the markers only make the contents undefined: an address may be computed before the first, and a
// read after the last has no value anyway.
void FunctionTranslator::lifetime(const llvm::AllocaInst& a, bool begins) {
  const bool in_block = lives_in_block(a);
  switch (homes_[&a]) {
    case Home::Registers:
      if (begins) alloca_(a);
      return;
    case Home::Private: {
      const auto address = one(&a);
      if (in_block && begins) {
        auto& e = emit(Op::PrivateObject);
        e.dst = address;
        e.imm = private_slots_[&a];
      } else {
        auto& e = emit(Op::Undefine);
        e.a = address;
        e.sub = in_block ? vm::ended_bit : 0;
      }
      return;
    }
    case Home::Object: {
      if (!in_block) return;
      const auto object = block_objects_[&a];
      emit(Op::StackFree).a = object;
      if (!begins) return;
      const auto size = number(a.getAllocationSize(layout_)->getFixedValue());
      auto& e = emit(Op::Alloc);
      e.dst = object;
      e.a = size;
      e.imm = static_cast<std::uint32_t>(stack_kind_);
      copy_into(a, {object});
      return;
    }
    case Home::Dynamic: return;
  }
}

void FunctionTranslator::alloca_(const llvm::AllocaInst& a) {
  switch (homes_[&a]) {
    case Home::Registers: {
      const auto parts = parts_of(a.getAllocatedType());
      const Parts slot = slots_[&a];
      for (std::size_t k = 0; k < slot.size(); ++k) {
        auto& e = emit(Op::Mov);
        e.dst = slot[k];
        e.a = number(0, vm::undefined_of(parts[k].width));
      }
      return;
    }
    case Home::Private: {
      const auto size = static_cast<std::uint32_t>(a.getAllocationSize(layout_)->getFixedValue());
      const auto dst = define(a)[0];
      auto& e = emit(Op::PrivateObject);
      e.dst = dst;
      e.imm = private_slots_[&a] = static_cast<std::uint32_t>(draft_.privates.size());
      draft_.privates.push_back({0, size});
      return;
    }
    case Home::Object: {
      // The end of a block frees the object and zeroes its register, which promoted pointers to it must not see.
      const bool in_block = lives_in_block(a);
      const auto dst = in_block && module_.pending() ? fresh() : define(a)[0];
      draft_.stack_regs.push_back(dst);
      if (a.getAlign().value() < vm::heap_alignment)
        draft_.loose_objects.emplace_back(dst, static_cast<std::uint32_t>(a.getAlign().value()));
      if (in_block) {
        block_objects_[&a] = dst;
        const auto nothing = number(0);
        auto& none = emit(Op::Mov);
        none.dst = dst;
        none.a = nothing;
        return;
      }
      const auto size = number(a.getAllocationSize(layout_)->getFixedValue());
      auto& e = emit(Op::Alloc);
      e.dst = dst;
      e.a = size;
      e.imm = static_cast<std::uint32_t>(stack_kind_);
      return;
    }
    case Home::Dynamic: {
      const auto each = layout_.getTypeAllocSize(a.getAllocatedType()).getFixedValue();
      auto count = one(a.getArraySize());
      if (each != 1) count = emit_value(Op::Scale, 64, count, number(each));
      const auto dst = define(a)[0];
      auto& e = emit(Op::DynAlloc);
      e.dst = dst;
      e.a = count;
      e.imm = static_cast<std::uint32_t>(stack_kind_);
      return;
    }
  }
}

namespace {

// Of one part of an access: the size of an atomic one of several parts, with the first of them.
std::uint32_t atomic_size(const std::vector<Part>& parts, std::size_t k, std::uint8_t sub) {
  if (k != 0 || parts.size() < 2 || (sub & vm::order_bits) == 0) return 0;
  return static_cast<std::uint32_t>(parts.back().offset) + vm::bytes_of(parts.back().width);
}

}  // namespace

DraftOperand FunctionTranslator::displaced(DraftOperand address, std::uint64_t offset) {
  if (offset == 0) return address;
  const auto dst = fresh();
  auto& e = emit(Op::PtrAddConst);
  e.dst = dst;
  e.a = address;
  e.imm = static_cast<std::uint32_t>(offset);
  return dst;
}

void FunctionTranslator::load_parts(const Parts& to, const std::vector<Part>& parts, DraftOperand address,
                                    std::uint8_t sub) {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto at = displaced(address, parts[k].offset);
    auto& e = emit(Op::Load, parts[k].width);
    e.dst = to[k];
    e.a = at;
    e.sub = sub;
    e.imm = atomic_size(parts, k, sub);
  }
}

void FunctionTranslator::store_parts(const Parts& from, const std::vector<Part>& parts, DraftOperand address,
                                     std::uint8_t sub) {
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto at = displaced(address, parts[k].offset);
    auto& e = emit(Op::Store, parts[k].width);
    e.a = at;
    e.b = from[k];
    e.sub = sub;
    e.imm = atomic_size(parts, k, sub);
  }
}

void FunctionTranslator::load(const llvm::LoadInst& l) {
  if (const auto* a = llvm::dyn_cast<llvm::AllocaInst>(l.getPointerOperand()); a != nullptr && slots_.contains(a)) {
    copy_into(l, slots_[a]);
    return;
  }
  std::vector<Part> parts;
  if (!module_.flatten(l.getType(), parts) || packs_bits(*l.getType(), layout_)) {
    unsupported(l);
    return;
  }
  const auto address = one(l.getPointerOperand());
  const auto sub = access_sub(order_of(l.getOrdering()), l.isVolatile());
  const Parts to = define(l);
  const bool joined = l.isAtomic() && parts.size() > 1;  // sixteen bytes at once
  if (joined) emit(Op::AtomicBegin);
  load_parts(to, parts, address, sub);
  if (joined) emit(Op::AtomicEnd);
}

void FunctionTranslator::store(const llvm::StoreInst& s) {
  const Parts value = operands(s.getValueOperand());
  if (const auto* a = llvm::dyn_cast<llvm::AllocaInst>(s.getPointerOperand()); a != nullptr && slots_.contains(a)) {
    const Parts slot = slots_[a];
    for (std::size_t k = 0; k < slot.size(); ++k) {
      auto& e = emit(Op::Mov);
      e.dst = slot[k];
      e.a = value[k];
    }
    return;
  }
  std::vector<Part> parts;
  auto* type = s.getValueOperand()->getType();
  if (!module_.flatten(type, parts) || packs_bits(*type, layout_)) {
    unsupported(s);
    return;
  }
  const auto address = one(s.getPointerOperand());
  const bool joined = s.isAtomic() && parts.size() > 1;
  if (joined) emit(Op::AtomicBegin);
  store_parts(value, parts, address, access_sub(order_of(s.getOrdering()), s.isVolatile()));
  if (joined) emit(Op::AtomicEnd);
}

void FunctionTranslator::rmw(const llvm::AtomicRMWInst& r) {
  using B = llvm::AtomicRMWInst;
  using R = core::RmwOp;
  static const std::map<B::BinOp, R> ops{{B::Xchg, R::Xchg},         {B::Add, R::Add},          {B::Sub, R::Sub},
                                         {B::And, R::And},           {B::Nand, R::Nand},        {B::Or, R::Or},
                                         {B::Xor, R::Xor},           {B::Max, R::Max},          {B::Min, R::Min},
                                         {B::UMax, R::UMax},         {B::UMin, R::UMin},        {B::FAdd, R::FAdd},
                                         {B::FSub, R::FSub},         {B::FMax, R::FMax},        {B::FMin, R::FMin},
                                         {B::UIncWrap, R::UIncWrap}, {B::UDecWrap, R::UDecWrap}};
  const auto op = ops.find(r.getOperation());
  const auto parts = parts_of(r.getType());
  if (op != ops.end() && parts.size() == 2 && r.getType()->isIntegerTy(128) && wide_rmw(r, op->second)) return;
  if (op == ops.end() || parts.size() != 1) {
    unsupported(r);
    return;
  }
  const auto address = one(r.getPointerOperand()), value = one(r.getValOperand());
  const auto dst = define(r)[0];
  auto& e = emit(Op::Rmw, parts[0].width);
  e.dst = dst;
  e.a = address;
  e.b = value;
  e.sub = r.isVolatile() ? vm::volatile_bit : 0;
  e.imm = static_cast<std::uint32_t>(op->second) | static_cast<std::uint32_t>(order_of(r.getOrdering())) << 8;
}

// Sixteen bytes: an atomic section of loads, arithmetic and stores. False if the operation is not known.
bool FunctionTranslator::wide_rmw(const llvm::AtomicRMWInst& r, core::RmwOp op) {
  using R = core::RmwOp;
  const bool by_parts = op == R::And || op == R::Or || op == R::Xor || op == R::Nand;
  if (!by_parts && op != R::Xchg && op != R::Add && op != R::Sub) return false;
  const auto parts = parts_of(r.getType());
  const auto address = one(r.getPointerOperand());
  const Parts value = operands(r.getValOperand()), old = define(r);
  emit(Op::AtomicBegin);
  load_parts(old, parts, address, access_sub(core::Order::SeqCst, false));
  Parts result = value;
  if (by_parts) {
    const auto each = op == R::Or ? Op::Or : op == R::Xor ? Op::Xor : Op::And;
    for (std::size_t k = 0; k < 2; ++k) {
      result[k] = emit_value(each, 64, old[k], value[k]);
      if (op == R::Nand) result[k] = emit_value(Op::Xor, 64, result[k], number(~std::uint64_t{0}));
    }
  } else if (op != R::Xchg) {
    result = {fresh(), fresh()};
    auto& e = emit(Op::Wide, 128);
    e.sub = static_cast<std::uint8_t>(op == R::Add ? vm::Wide::Add : vm::Wide::Sub);
    e.uses = {old[0], old[1], value[0], value[1]};
    e.defs = result;
  }
  store_parts(result, parts, address, access_sub(core::Order::SeqCst, false));
  emit(Op::AtomicEnd);
  return true;
}

void FunctionTranslator::cmpxchg(const llvm::AtomicCmpXchgInst& c) {
  const auto parts = parts_of(c.getNewValOperand()->getType());
  const auto address = one(c.getPointerOperand());
  const Parts expected = operands(c.getCompareOperand()), desired = operands(c.getNewValOperand());
  const Parts to = define(c);
  if (parts.size() == 1) {
    auto& e = emit(Op::Cas, parts[0].width);
    e.dst = to[0];
    e.a = address;
    e.b = desired[0];
    e.c = expected[0];
    e.sub = c.isVolatile() ? vm::volatile_bit : 0;
    e.imm = static_cast<std::uint32_t>(core::RmwOp::Cas) |
            static_cast<std::uint32_t>(order_of(c.getSuccessOrdering())) << 8 |
            static_cast<std::uint32_t>(order_of(c.getFailureOrdering())) << 12 | (c.isWeak() ? 1u << 16 : 0);
    emit(Op::CasFlag).dst = to[1];
    return;
  }
  // Sixteen bytes: an atomic section of loads, a comparison and stores.
  emit(Op::AtomicBegin);
  const Parts old{to[0], to[1]};
  load_parts(old, parts, address, access_sub(core::Order::SeqCst, false));
  {
    auto& e = emit(Op::Wide, 128);
    e.sub = static_cast<std::uint8_t>(vm::Wide::Same);
    e.uses = {old[0], old[1], expected[0], expected[1]};
    e.defs = {to[2]};
  }
  const auto write = new_block(), done = new_block();
  auto& br = emit(Op::Br, 1);
  br.a = to[2];
  br.imm = write;
  emit(Op::Jmp).imm = done;
  current_ = write;
  store_parts(desired, parts, address, access_sub(core::Order::SeqCst, false));
  emit(Op::Jmp).imm = done;
  current_ = done;
  emit(Op::AtomicEnd);
}

void FunctionTranslator::fence(llvm::AtomicOrdering order, llvm::SyncScope::ID scope) {
  if (scope == llvm::SyncScope::SingleThread) {  // for the compiler only
    module_.out().signal_fences.push_back(site_);
    return;
  }
  emit(Op::Fence).sub = static_cast<std::uint8_t>(order_of(order));
}

void FunctionTranslator::memory_transfer(const llvm::MemIntrinsic& m) {
  const auto* length = llvm::dyn_cast<llvm::ConstantInt>(m.getLength());
  const auto* transfer = llvm::dyn_cast<llvm::MemTransferInst>(&m);
  const std::uint64_t align = std::min<std::uint64_t>(
      m.getDestAlign().valueOrOne().value(), transfer != nullptr ? transfer->getSourceAlign().valueOrOne().value() : 8);
  const std::uint64_t step = std::min<std::uint64_t>(align, 8);
  if (length != nullptr && length->isZero()) return;
  if (transfer != nullptr && !llvm::isa<llvm::MemMoveInst>(m) && may_overlap(*transfer)) {
    const auto to = one(m.getRawDest()), from = one(transfer->getRawSource()), bytes = one(m.getLength());
    auto& e = emit(Op::Disjoint);
    e.a = to;
    e.b = from;
    e.c = bytes;
  }
  if (length != nullptr && length->getZExtValue() <= largest_unrolled_copy && length->getZExtValue() / step <= 16) {
    const auto n = length->getZExtValue();
    const auto to = one(m.getRawDest());
    const std::uint8_t sub = m.isVolatile() ? vm::volatile_bit : 0;
    std::vector<Part> parts;
    for (std::uint64_t at = 0; at < n;) {
      std::uint64_t size = step;
      while (at + size > n) size /= 2;
      parts.push_back({static_cast<unsigned>(8 * size), at});
      at += size;
    }
    if (transfer != nullptr) {
      const auto from = one(transfer->getRawSource());
      // memmove may overlap: read everything first. memcpy of equal ranges is harmless either way.
      Parts values;
      if (llvm::isa<llvm::MemMoveInst>(m)) {
        for (std::size_t k = 0; k < parts.size(); ++k) values.push_back(fresh());
        load_parts(values, parts, from, sub);
        store_parts(values, parts, to, sub);
        return;
      }
      for (const auto& p : parts) {
        const auto value = fresh();
        load_parts({value}, {p}, from, sub);
        store_parts({value}, {p}, to, sub);
      }
      return;
    }
    const auto* set = llvm::cast<llvm::MemSetInst>(&m);
    const auto byte = one(set->getValue());
    Parts values;
    DraftOperand wide = no_operand;
    if (const auto* c = llvm::dyn_cast<llvm::ConstantInt>(set->getValue())) {
      for (const auto& p : parts)
        values.push_back(number((c->getZExtValue() * 0x0101010101010101) & vm::mask_of(p.width)));
    } else {
      wide = emit_value(Op::Mul, 64, byte, number(0x0101010101010101));
      for (const auto& p : parts) values.push_back(p.width == 64 ? wide : emit_value(Op::Trunc, p.width, wide));
    }
    store_parts(values, parts, to, sub);
    return;
  }
  const llvm::Value* second = transfer != nullptr ? static_cast<const llvm::Value*>(transfer->getRawSource())
                                                  : llvm::cast<llvm::MemSetInst>(&m)->getValue();
  const char* name = llvm::isa<llvm::MemSetInst>(m)    ? "__heddle_fill"
                     : llvm::isa<llvm::MemMoveInst>(m) ? "__heddle_move"
                                                       : "__heddle_copy";
  call_named(m, name, {m.getRawDest(), second, m.getLength()});
}

// The va_list of x86-64 with both register areas exhausted: all arguments lie in the overflow area.
void FunctionTranslator::va_start(const llvm::CallBase& c) {
  if (function_.getCallingConv() == llvm::CallingConv::Win64) {  // its list is one pointer
    unsupported("arguments behind the dots by Windows' convention are not supported");
    return;
  }
  const auto* list = c.getArgOperand(0)->stripPointerCasts();
  const auto* home = llvm::dyn_cast<llvm::AllocaInst>(list);
  const auto address = one(c.getArgOperand(0));
  DraftOperand area = fresh();
  if (home != nullptr && homes_[home] == Home::Private && !passed_on(*home)) {
    emit(Op::VaBlock).dst = area;
  } else {
    // The list may escape, and a function that gets it may copy its contents: the arguments become an object.
    // A second va_start at this place finds it: it has the same arguments.
    draft_.stack_regs.push_back(area);
    const auto first = new_block(), head = new_block(), body = new_block(), done = new_block();
    {
      const auto exists = emit_value(Op::Ne, 64, area, number(0));
      auto& br = emit(Op::Br, 1);
      br.a = exists;
      br.imm = done;
    }
    emit(Op::Jmp).imm = first;
    current_ = first;
    const auto size = fresh(), at = fresh();
    emit(Op::VaSize).dst = size;
    const auto room = emit_value(Op::Add, 64, size, number(va_front));
    {
      auto& e = emit(Op::Alloc);
      e.dst = area;
      e.a = room;
      e.imm = static_cast<std::uint32_t>(stack_kind_);
    }
    const auto zero = number(0);
    {
      auto& e = emit(Op::Mov);
      e.dst = at;
      e.a = zero;
    }
    emit(Op::Jmp).imm = head;
    current_ = head;
    const auto more = emit_value(Op::ULt, 64, at, size);
    auto& br = emit(Op::Br, 1);
    br.a = more;
    br.imm = body;
    emit(Op::Jmp).imm = done;
    current_ = body;
    const auto value = emit_value(Op::VaArg, 64, at);
    const auto to = emit_value(Op::PtrAdd, 64, area, at);
    store_parts({value}, {{64, va_front}}, to, 0);
    const auto eight = number(8);
    {
      auto& e = emit(Op::Add, 64);
      e.dst = at;
      e.a = at;
      e.b = eight;
    }
    emit(Op::Jmp).imm = head;
    current_ = done;
    area = displaced(area, va_front);
  }
  store_parts({number(48), number(176), area, number(0)}, {{32, 0}, {32, 4}, {64, 8}, {64, 16}}, address, 0);
}

void FunctionTranslator::va_copy(const llvm::CallBase& c) {
  const auto to = one(c.getArgOperand(0)), from = one(c.getArgOperand(1));
  const std::vector<Part> parts{{64, 0}, {64, 8}, {64, 16}};
  const Parts values{fresh(), fresh(), fresh()};
  load_parts(values, parts, from, 0);
  store_parts(values, parts, to, 0);
}

}  // namespace heddle::lang::llvm_ir
