// Arithmetic, comparisons, casts, addresses, vectors and aggregates.
// SPDX-License-Identifier: Apache-2.0
#include <llvm/IR/GetElementPtrTypeIterator.h>

#include <algorithm>
#include <limits>

#include "lang/llvm/translate.h"
#include "vm/arithmetic.h"

namespace heddle::lang::llvm_ir {

using vm::DraftOperand;
using vm::no_operand;
using vm::Op;

namespace {

struct BinaryRow {
  unsigned opcode;
  Op op;
  std::optional<vm::Wide> wide;  // nothing: part by part
};
constexpr BinaryRow binary_rows[] = {
    {llvm::Instruction::Add, Op::Add, vm::Wide::Add},    {llvm::Instruction::Sub, Op::Sub, vm::Wide::Sub},
    {llvm::Instruction::Mul, Op::Mul, vm::Wide::Mul},    {llvm::Instruction::UDiv, Op::UDiv, vm::Wide::UDiv},
    {llvm::Instruction::SDiv, Op::SDiv, vm::Wide::SDiv}, {llvm::Instruction::URem, Op::URem, vm::Wide::URem},
    {llvm::Instruction::SRem, Op::SRem, vm::Wide::SRem}, {llvm::Instruction::Shl, Op::Shl, vm::Wide::Shl},
    {llvm::Instruction::LShr, Op::LShr, vm::Wide::LShr}, {llvm::Instruction::AShr, Op::AShr, vm::Wide::AShr},
    {llvm::Instruction::And, Op::And, std::nullopt},     {llvm::Instruction::Or, Op::Or, std::nullopt},
    {llvm::Instruction::Xor, Op::Xor, std::nullopt},     {llvm::Instruction::FAdd, Op::FAdd, std::nullopt},
    {llvm::Instruction::FSub, Op::FSub, std::nullopt},   {llvm::Instruction::FMul, Op::FMul, std::nullopt},
    {llvm::Instruction::FDiv, Op::FDiv, std::nullopt},   {llvm::Instruction::FRem, Op::FRem, std::nullopt}};

// How many of the lower bits of a truncation's result are looked at: optimisers put the truncation before the mask.
unsigned needed_bits(const llvm::Instruction& truncation, unsigned width) {
  unsigned needed = 1;
  for (const auto* user : truncation.users()) {
    const auto* mask = user->getNumOperands() == 2 ? llvm::dyn_cast<llvm::ConstantInt>(user->getOperand(1)) : nullptr;
    const auto* operation = llvm::dyn_cast<llvm::BinaryOperator>(user);
    if (operation == nullptr || operation->getOpcode() != llvm::Instruction::And || mask == nullptr) return width;
    needed = std::max(needed, mask->getValue().getActiveBits());
  }
  return needed;
}

}  // namespace

// Of vectors: element by element.
void FunctionTranslator::wide_binary(vm::Wide f, unsigned width, const llvm::Instruction& i, const Parts& a,
                                     const Parts& b) {
  const Parts to = define(i);
  const auto* vector = llvm::dyn_cast<llvm::FixedVectorType>(i.getType());
  const std::size_t count = vector != nullptr ? vector->getNumElements() : 1;
  const auto element = [&](const Parts& all, std::size_t k) {
    const auto step = static_cast<std::ptrdiff_t>(all.size() / count), from = static_cast<std::ptrdiff_t>(k) * step;
    return Parts(all.begin() + from, all.begin() + from + step);
  };
  for (std::size_t k = 0; k < count; ++k) {
    const Parts second = element(b, k);
    auto& e = emit(Op::Wide, width);
    e.sub = static_cast<std::uint8_t>(f);
    e.uses = element(a, k);
    e.uses.insert(e.uses.end(), second.begin(), second.end());
    e.defs = element(to, k);
  }
}

void FunctionTranslator::binary(const llvm::BinaryOperator& i) {
  for (const auto& row : binary_rows) {
    if (row.opcode != i.getOpcode()) continue;
    const auto w = width_of(i.getType(), layout_);
    const bool real = i.getType()->isFPOrFPVectorTy();
    std::vector<Part> parts;
    if ((real && w != 32 && w != 64) || !module_.flatten(i.getType(), parts)) break;
    const Parts a = operands(i.getOperand(0)), b = operands(i.getOperand(1));
    if (w > 128 && row.wide) {
      if (shift_huge(i, a)) return;
      break;
    }
    if (w > 64 && row.wide) {
      wide_binary(*row.wide, w, i, a, b);
      return;
    }
    const Parts to = define(i);
    for (std::size_t k = 0; k < to.size(); ++k) {
      auto& e = emit(row.op, parts[k].width);
      e.dst = to[k];
      e.a = a[k];
      e.b = b[k];
    }
    return;
  }
  unsupported(i);
}

void FunctionTranslator::compare(const llvm::ICmpInst& i) {
  using P = llvm::CmpInst;
  auto* type = i.getOperand(0)->getType();
  const auto w = width_of(type, layout_);
  std::vector<Part> ignored;
  if (!module_.flatten(type, ignored)) {
    unsupported(i);
    return;
  }
  Parts a = operands(i.getOperand(0)), b = operands(i.getOperand(1));
  auto p = i.getPredicate();
  if (p == P::ICMP_UGT || p == P::ICMP_UGE || p == P::ICMP_SGT || p == P::ICMP_SGE) {
    std::swap(a, b);
    p = i.getSwappedPredicate();
  }
  const auto pick = [&](auto eq, auto ne, auto ult, auto ule, auto slt, auto sle) {
    switch (p) {
      case P::ICMP_EQ: return eq;
      case P::ICMP_NE: return ne;
      case P::ICMP_ULT: return ult;
      case P::ICMP_ULE: return ule;
      case P::ICMP_SLT: return slt;
      default: return sle;
    }
  };
  if (w > 128) {
    if (type->isVectorTy()) unsupported(i);
    else compare_huge(i, p, a, b);
    return;
  }
  if (w > 64) {
    using vm::Wide;
    wide_binary(pick(Wide::Eq, Wide::Ne, Wide::ULt, Wide::ULe, Wide::SLt, Wide::SLe), w, i, a, b);
    return;
  }
  const auto op = pick(Op::Eq, Op::Ne, Op::ULt, Op::ULe, Op::SLt, Op::SLe);
  const Parts to = define(i);
  for (std::size_t k = 0; k < to.size(); ++k) {
    auto& e = emit(op, w);
    e.dst = to[k];
    e.a = a[k];
    e.b = b[k];
  }
}

// The same bits from `start` on, cut otherwise: used for casts between vectors and scalars, and for huge integers.
Parts FunctionTranslator::repack(const Parts& source, const std::vector<Part>& from, const std::vector<Part>& to,
                                 unsigned start) {
  Parts result;
  for (const auto& t : to) {
    DraftOperand value = no_operand;
    unsigned at = 0;
    for (std::size_t k = 0; k < from.size(); ++k) {
      const unsigned end = at + from[k].width;
      if (end > start && at < start + t.width) {
        DraftOperand piece = source[k];
        if (at < start) piece = emit_value(Op::LShr, from[k].width, piece, number(start - at));
        if (at > start) piece = emit_value(Op::Shl, t.width, piece, number(at - start));
        if (at < start || from[k].width != t.width || at != start) piece = emit_value(Op::Trunc, t.width, piece);
        value = value == no_operand ? piece : emit_value(Op::Or, t.width, value, piece);
      }
      at = end;
    }
    result.push_back(value == no_operand ? number(0) : value);
    start += t.width;
  }
  return result;
}

// Huge integers, of more than 128 bits: compilers make them of structures with many bit-fields, which they shift by
// fixed numbers, mask and join; there is no arithmetic on them.
void FunctionTranslator::lengthen(Parts& a, std::vector<Part>& parts, unsigned bits, bool is_signed) {
  auto fill = number(0);
  if (is_signed) {
    const auto w = parts.back().width;
    const auto top =
        w == 64 ? a.back() : emit_value(Op::SExt, 64, a.back(), no_operand, no_operand, static_cast<std::uint8_t>(w));
    fill = emit_value(Op::AShr, 64, top, number(63));
  }
  for (unsigned at = 0; at < bits; at += 64) {
    a.push_back(fill);
    parts.push_back({64, 0});
  }
}

bool FunctionTranslator::shift_huge(const llvm::BinaryOperator& i, const Parts& a) {
  const auto* by = llvm::dyn_cast<llvm::ConstantInt>(i.getOperand(1));
  const bool left = i.getOpcode() == llvm::Instruction::Shl, arithmetic = i.getOpcode() == llvm::Instruction::AShr;
  if (by == nullptr || i.getType()->isVectorTy() ||
      (!left && !arithmetic && i.getOpcode() != llvm::Instruction::LShr) ||
      by->getValue().uge(width_of(i.getType(), layout_)))
    return false;
  const auto bits = static_cast<unsigned>(by->getZExtValue());
  const std::vector<Part> to = parts_of(i.getType());
  Parts source = a;
  std::vector<Part> from = to;
  if (left) {
    for (unsigned at = 0; at < bits; at += 64) {
      source.insert(source.begin(), number(0));
      from.insert(from.begin(), {std::min(bits - at, 64u), 0});
    }
  } else {
    lengthen(source, from, bits, arithmetic);
  }
  copy_into(i, repack(source, from, to, left ? 0 : bits));
  return true;
}

// From the lowest part to the highest: less there, or equal there and less so far.
void FunctionTranslator::compare_huge(const llvm::ICmpInst& i, llvm::CmpInst::Predicate p, const Parts& a,
                                      const Parts& b) {
  using P = llvm::CmpInst;
  const std::vector<Part> parts = parts_of(i.getOperand(0)->getType());
  const bool equality = p == P::ICMP_EQ || p == P::ICMP_NE, strict = p == P::ICMP_ULT || p == P::ICMP_SLT;
  DraftOperand result = no_operand;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    const auto w = parts[k].width;
    const auto same = emit_value(Op::Eq, w, a[k], b[k]);
    if (equality) {
      result = k == 0 ? same : emit_value(Op::And, 1, result, same);
    } else if (k == 0) {
      result = emit_value(strict ? Op::ULt : Op::ULe, w, a[k], b[k]);
    } else {
      const bool sign = k + 1 == parts.size() && llvm::CmpInst::isSigned(p);
      const auto less = emit_value(sign ? Op::SLt : Op::ULt, w, a[k], b[k]);
      result = emit_value(Op::Or, 1, less, emit_value(Op::And, 1, same, result));
    }
  }
  copy_into(i, {p == P::ICMP_NE ? emit_value(Op::Xor, 1, result, number(1)) : result});
}

// One integer made longer or shorter, where one of the two does not fit a register.
Parts FunctionTranslator::resize_wide(const Parts& a, unsigned from, unsigned to, bool is_signed) {
  const auto extended = [&](DraftOperand part, unsigned width, unsigned wanted) {
    return width == wanted
               ? part
               : emit_value(Op::SExt, wanted, part, no_operand, no_operand, static_cast<std::uint8_t>(width));
  };
  if (to <= 64) return {to == 64 ? a[0] : emit_value(Op::Trunc, to, a[0])};
  if (to < from) return {a[0], emit_value(Op::Trunc, to - 64, a[1])};
  if (!is_signed) return {a[0], from > 64 ? a[1] : number(0)};
  if (from > 64) return {a[0], extended(a[1], from - 64, to - 64)};
  const auto low = extended(a[0], from, 64);
  const auto sign = emit_value(Op::AShr, 64, low, number(63));
  return {low, to == 128 ? sign : emit_value(Op::Trunc, to - 64, sign)};
}

void FunctionTranslator::cast(const llvm::CastInst& i) {
  auto *from = i.getSrcTy(), *to = i.getDestTy();
  std::vector<Part> from_parts, to_parts;
  if (!module_.flatten(from, from_parts) || !module_.flatten(to, to_parts)) {
    unsupported(i);
    return;
  }
  const auto fw = width_of(from, layout_), tw = width_of(to, layout_);
  const Parts a = operands(i.getOperand(0));
  const bool wide = (fw > 64 || tw > 64);
  const bool resized = i.getOpcode() == llvm::Instruction::Trunc || i.getOpcode() == llvm::Instruction::ZExt ||
                       i.getOpcode() == llvm::Instruction::SExt || i.getOpcode() == llvm::Instruction::PtrToInt;
  if (std::max(fw, tw) > 128 && i.getOpcode() != llvm::Instruction::BitCast) {
    if (!resized || from->isVectorTy()) {
      unsupported(i);
      return;
    }
    Parts source = a;
    if (tw > fw) lengthen(source, from_parts, tw - fw, i.getOpcode() == llvm::Instruction::SExt);
    copy_into(i, repack(source, from_parts, to_parts));
    return;
  }
  if (wide && resized) {
    const std::size_t step = fw > 64 ? 2 : 1;
    Parts result;
    for (std::size_t k = 0; k < a.size(); k += step) {
      const Parts one_more = resize_wide(
          Parts(a.begin() + static_cast<std::ptrdiff_t>(k), a.begin() + static_cast<std::ptrdiff_t>(k + step)), fw, tw,
          i.getOpcode() == llvm::Instruction::SExt);
      result.insert(result.end(), one_more.begin(), one_more.end());
    }
    copy_into(i, result);
    return;
  }
  if (wide && from->isVectorTy() && std::max(fw, tw) < 128 && i.getOpcode() != llvm::Instruction::BitCast) {
    unsupported(i);
    return;
  }
  auto each = [&](Op op, unsigned width, unsigned sub) {
    const Parts result = define(i);
    for (std::size_t k = 0; k < result.size(); ++k) {
      auto& e = emit(op, width);
      e.dst = result[k];
      e.a = a[k];
      e.sub = static_cast<std::uint8_t>(sub);
    }
  };
  switch (i.getOpcode()) {
    case llvm::Instruction::BitCast:
      if (from_parts.size() == to_parts.size() && fw == tw) copy_into(i, a);
      else copy_into(i, repack(a, from_parts, to_parts));
      return;
    case llvm::Instruction::AddrSpaceCast: copy_into(i, a); return;
    case llvm::Instruction::PtrToInt:
    case llvm::Instruction::Trunc:
      if (tw == fw) copy_into(i, a);
      else each(Op::Trunc, tw, needed_bits(i, tw));
      return;
    case llvm::Instruction::IntToPtr: copy_into(i, Parts{a[0]}); return;
    case llvm::Instruction::ZExt: each(Op::ZExt, tw, fw); return;
    case llvm::Instruction::SExt: each(Op::SExt, tw, fw); return;
    case llvm::Instruction::FPTrunc:
    case llvm::Instruction::FPExt: each(Op::FCast, tw, fw); return;
    case llvm::Instruction::FPToSI:
    case llvm::Instruction::FPToUI: {
      const bool is_signed = i.getOpcode() == llvm::Instruction::FPToSI;
      if (tw > 64) wide_binary(is_signed ? vm::Wide::FToSI : vm::Wide::FToUI, fw, i, a, Parts(a.size(), number(tw)));
      else each(is_signed ? Op::FToSI : Op::FToUI, tw, fw);
      return;
    }
    case llvm::Instruction::SIToFP:
    case llvm::Instruction::UIToFP: {
      const bool is_signed = i.getOpcode() == llvm::Instruction::SIToFP;
      if (fw > 64)
        wide_binary(is_signed ? vm::Wide::SIToF : vm::Wide::UIToF, tw, i,
                    fw == 128 ? a : resize_wide(a, fw, 128, is_signed), {});
      else each(is_signed ? Op::SIToF : Op::UIToF, tw, fw);
      return;
    }
    default: unsupported(i); return;
  }
}

void FunctionTranslator::gep(const llvm::GetElementPtrInst& g) {
  if (g.getType()->isVectorTy()) {
    unsupported(g);
    return;
  }
  auto address = one(g.getPointerOperand());
  // Without a promise that it does not overflow, the offset wraps as a whole. With one, an overflow is poison: the
  // offset stays at the end of its range, far from every object.
  const bool wraps = !g.hasNoUnsignedSignedWrap() && !g.hasNoUnsignedWrap();
  DraftOperand offset = no_operand;
  std::int64_t constant = 0;
  for (auto it = llvm::gep_type_begin(g), end = llvm::gep_type_end(g); it != end; ++it) {
    const auto* index = it.getOperand();
    if (auto* s = it.getStructTypeOrNull()) {
      constant += static_cast<std::int64_t>(layout_.getStructLayout(s)->getElementOffset(
          static_cast<unsigned>(llvm::cast<llvm::ConstantInt>(index)->getZExtValue())));
      continue;
    }
    const auto scale = static_cast<std::int64_t>(it.getSequentialElementStride(layout_).getFixedValue());
    if (const auto* c = llvm::dyn_cast<llvm::ConstantInt>(index)) {
      const auto n = static_cast<std::uint64_t>(c->getValue().sextOrTrunc(64).getSExtValue());
      const auto by = static_cast<std::int64_t>(wraps ? n * static_cast<std::uint64_t>(scale)
                                                      : vm::scaled(n, static_cast<std::uint64_t>(scale)));
      if (__builtin_add_overflow(constant, by, &constant) && !wraps)
        constant = by < 0 ? std::numeric_limits<std::int64_t>::min() : std::numeric_limits<std::int64_t>::max();
      continue;
    }
    auto value = one(index);
    const auto w = index->getType()->getIntegerBitWidth();
    if (w < 64) value = emit_value(Op::SExt, 64, value, no_operand, no_operand, static_cast<std::uint8_t>(w));
    if (scale != 1)
      value = emit_value(wraps ? Op::Mul : Op::Scale, 64, value, number(static_cast<std::uint64_t>(scale)));
    if (!wraps) address = emit_value(Op::PtrAdd, 64, address, value);
    else offset = offset == no_operand ? value : emit_value(Op::Add, 64, offset, value);
  }
  if (offset != no_operand) {
    if (constant != 0) offset = emit_value(Op::Add, 64, offset, number(static_cast<std::uint64_t>(constant)));
    address = emit_value(Op::PtrAdd, 64, address, offset);
    constant = 0;
  }
  if (constant != 0) {
    if (constant == static_cast<std::int32_t>(constant)) {
      const auto base = address;
      address = fresh();
      auto& e = emit(Op::PtrAddConst);
      e.dst = address;
      e.a = base;
      e.imm = static_cast<std::uint32_t>(static_cast<std::int32_t>(constant));
    } else {
      address = emit_value(Op::PtrAdd, 64, address, number(static_cast<std::uint64_t>(constant)));
    }
  }
  // A copy is merged away where that is possible.
  copy_into(g, {address});
}

void FunctionTranslator::element(const llvm::Instruction& i) {
  const auto* vector = i.getOperand(0);
  const Parts v = operands(vector);
  const auto* type = llvm::cast<llvm::FixedVectorType>(vector->getType());
  const auto count = type->getNumElements();
  const auto step = v.size() / count;
  const bool insert = i.getOpcode() == llvm::Instruction::InsertElement;
  const auto* index = i.getOperand(insert ? 2 : 1);
  const Parts item = insert ? operands(i.getOperand(1)) : Parts{};
  const auto w = width_of(vector->getType(), layout_);
  if (const auto* c = llvm::dyn_cast<llvm::ConstantInt>(index)) {
    const auto k = c->getZExtValue();
    if (k >= count) {
      unsupported(i);
      return;
    }
    if (!insert) {
      copy_into(i, Parts(v.begin() + static_cast<std::ptrdiff_t>(k * step),
                         v.begin() + static_cast<std::ptrdiff_t>((k + 1) * step)));
    } else {
      Parts result = v;
      std::copy(item.begin(), item.end(), result.begin() + static_cast<std::ptrdiff_t>(k * step));
      copy_into(i, result);
    }
    return;
  }
  const auto at = one(index);
  const auto iw = index->getType()->getIntegerBitWidth();
  // Past the end the result is poison.
  const auto part = std::min(w, 64U);  // an element of more bits has several parts
  const auto nothing = number(0, vm::undefined_of(part));
  const auto inside = insert ? emit_value(Op::ULt, iw, at, number(count)) : no_operand;
  Parts result = insert ? v : Parts(step, nothing);
  for (unsigned k = 0; k < count; ++k) {
    const auto here = emit_value(Op::Eq, iw, at, number(k));
    for (std::size_t p = 0; p < step; ++p) {
      const auto old = v[k * step + p];
      if (insert)
        result[k * step + p] =
            emit_value(Op::Select, part, here, item[p], emit_value(Op::Select, part, inside, old, nothing));
      else result[p] = emit_value(Op::Select, part, here, old, result[p]);
    }
  }
  copy_into(i, result);
}

void FunctionTranslator::shuffle(const llvm::ShuffleVectorInst& s) {
  const Parts a = operands(s.getOperand(0)), b = operands(s.getOperand(1));
  const auto count = llvm::cast<llvm::FixedVectorType>(s.getOperand(0)->getType())->getNumElements();
  const auto step = a.size() / count;
  const auto w = width_of(s.getType(), layout_);
  Parts result;
  for (const int m : s.getShuffleMask())
    for (std::size_t k = 0; k < step; ++k) {
      if (m < 0) result.push_back(number(0, vm::undefined_of(std::min(w, 64u))));
      else if (static_cast<unsigned>(m) < count) result.push_back(a[static_cast<unsigned>(m) * step + k]);
      else result.push_back(b[(static_cast<unsigned>(m) - count) * step + k]);
    }
  copy_into(s, result);
}

void FunctionTranslator::aggregate(const llvm::Instruction& i) {
  const bool insert = i.getOpcode() == llvm::Instruction::InsertValue;
  auto* type = i.getOperand(0)->getType();
  const auto indices =
      insert ? llvm::cast<llvm::InsertValueInst>(i).getIndices() : llvm::cast<llvm::ExtractValueInst>(i).getIndices();
  std::size_t at = 0;
  auto* t = type;
  for (const unsigned index : indices) {
    for (unsigned k = 0; k < index; ++k) {
      std::vector<Part> before;
      module_.flatten(llvm::ExtractValueInst::getIndexedType(t, {k}), before);
      at += before.size();
    }
    t = llvm::ExtractValueInst::getIndexedType(t, {index});
  }
  const auto size = parts_of(t).size();
  const Parts whole = operands(i.getOperand(0));
  if (!insert) {
    copy_into(i, Parts(whole.begin() + static_cast<std::ptrdiff_t>(at),
                       whole.begin() + static_cast<std::ptrdiff_t>(at + size)));
    return;
  }
  const Parts item = operands(i.getOperand(1));
  Parts result = whole;
  std::copy(item.begin(), item.end(), result.begin() + static_cast<std::ptrdiff_t>(at));
  copy_into(i, result);
}

}  // namespace heddle::lang::llvm_ir
