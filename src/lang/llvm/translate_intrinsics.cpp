// LLVM's intrinsic functions.
// SPDX-License-Identifier: Apache-2.0
#include "lang/llvm/translate.h"

#include <algorithm>
#include <set>

namespace heddle::lang::llvm_ir {

using vm::DraftOperand;
using vm::FloatMath;
using vm::IntMath;
using vm::no_operand;
using vm::Op;
using vm::Wide;
namespace in = llvm::Intrinsic;

namespace {

struct IntRow {
  in::ID id;
  IntMath f;
  unsigned arity;
};
constexpr IntRow int_rows[] = {{in::ctpop, IntMath::Ctpop, 1},
                               {in::ctlz, IntMath::Ctlz, 2},
                               {in::cttz, IntMath::Cttz, 2},
                               {in::bswap, IntMath::Bswap, 1},
                               {in::bitreverse, IntMath::BitReverse, 1},
                               {in::abs, IntMath::Abs, 2},
                               {in::smin, IntMath::SMin, 2},
                               {in::smax, IntMath::SMax, 2},
                               {in::umin, IntMath::UMin, 2},
                               {in::umax, IntMath::UMax, 2},
                               {in::fshl, IntMath::Fshl, 3},
                               {in::fshr, IntMath::Fshr, 3},
                               {in::sadd_sat, IntMath::SAddSat, 2},
                               {in::uadd_sat, IntMath::UAddSat, 2},
                               {in::ssub_sat, IntMath::SSubSat, 2},
                               {in::usub_sat, IntMath::USubSat, 2},
                               {in::sshl_sat, IntMath::SShlSat, 2},
                               {in::ushl_sat, IntMath::UShlSat, 2}};

struct FloatRow {
  in::ID id;
  FloatMath f;
  unsigned arity;
};
constexpr FloatRow float_rows[] = {{in::sqrt, FloatMath::Sqrt, 1},
                                   {in::fabs, FloatMath::Fabs, 1},
                                   {in::floor, FloatMath::Floor, 1},
                                   {in::ceil, FloatMath::Ceil, 1},
                                   {in::trunc, FloatMath::Trunc, 1},
                                   {in::rint, FloatMath::Rint, 1},
                                   {in::nearbyint, FloatMath::Rint, 1},
                                   {in::round, FloatMath::Round, 1},
                                   {in::roundeven, FloatMath::RoundEven, 1},
                                   {in::copysign, FloatMath::Copysign, 2},
                                   {in::minnum, FloatMath::MinNum, 2},
                                   {in::maxnum, FloatMath::MaxNum, 2},
                                   {in::minimum, FloatMath::Minimum, 2},
                                   {in::maximum, FloatMath::Maximum, 2},
                                   {in::fma, FloatMath::Fma, 3},
                                   {in::pow, FloatMath::Pow, 2},
                                   {in::powi, FloatMath::Powi, 2},
                                   {in::sin, FloatMath::Sin, 1},
                                   {in::cos, FloatMath::Cos, 1},
                                   {in::tan, FloatMath::Tan, 1},
                                   {in::asin, FloatMath::Asin, 1},
                                   {in::acos, FloatMath::Acos, 1},
                                   {in::atan, FloatMath::Atan, 1},
                                   {in::sinh, FloatMath::Sinh, 1},
                                   {in::cosh, FloatMath::Cosh, 1},
                                   {in::tanh, FloatMath::Tanh, 1},
                                   {in::exp, FloatMath::Exp, 1},
                                   {in::exp2, FloatMath::Exp2, 1},
                                   {in::exp10, FloatMath::Exp10, 1},
                                   {in::log, FloatMath::Log, 1},
                                   {in::log2, FloatMath::Log2, 1},
                                   {in::log10, FloatMath::Log10, 1},
                                   {in::ldexp, FloatMath::Ldexp, 2},
                                   {in::is_fpclass, FloatMath::IsFpClass, 2}};

struct OverflowRow {
  in::ID id;
  Op op;
  IntMath f;
  Wide wide, wide_flag;
};
constexpr OverflowRow overflow_rows[] = {{in::sadd_with_overflow, Op::Add, IntMath::SAddO, Wide::Add, Wide::SAddO},
                                         {in::uadd_with_overflow, Op::Add, IntMath::UAddO, Wide::Add, Wide::UAddO},
                                         {in::ssub_with_overflow, Op::Sub, IntMath::SSubO, Wide::Sub, Wide::SSubO},
                                         {in::usub_with_overflow, Op::Sub, IntMath::USubO, Wide::Sub, Wide::USubO},
                                         {in::smul_with_overflow, Op::Mul, IntMath::SMulO, Wide::Mul, Wide::SMulO},
                                         {in::umul_with_overflow, Op::Mul, IntMath::UMulO, Wide::Mul, Wide::UMulO}};

// Whether a pointer may be the one of a va_list to the arguments that are left (its field at offset 8): loaded from
// there, or, where the optimiser keeps it in registers, moved on from what was.
bool is_argument_area(const llvm::Value* v, std::set<const llvm::Value*>& seen) {
  if (!seen.insert(v).second) return false;
  const auto again = [&](const llvm::Value* from) { return is_argument_area(from, seen); };
  if (const auto* l = llvm::dyn_cast<llvm::LoadInst>(v)) {
    const auto* field = llvm::dyn_cast<llvm::GetElementPtrInst>(l->getPointerOperand());
    llvm::APInt at(64, 0);
    return field != nullptr && field->accumulateConstantOffset(l->getModule()->getDataLayout(), at) && at == 8;
  }
  if (const auto* g = llvm::dyn_cast<llvm::GetElementPtrInst>(v)) return again(g->getPointerOperand());
  if (const auto* p = llvm::dyn_cast<llvm::PHINode>(v))
    return std::any_of(p->op_begin(), p->op_end(), [&](const llvm::Use& from) { return again(from); });
  if (const auto* s = llvm::dyn_cast<llvm::SelectInst>(v)) return again(s->getTrueValue()) || again(s->getFalseValue());
  const auto* i = llvm::dyn_cast<llvm::IntrinsicInst>(v);
  return i != nullptr && i->getIntrinsicID() == in::ptrmask && again(i->getArgOperand(0));
}

// va_arg of a type with 16-byte alignment rounds that pointer up. clang passes such an argument in two pieces that do
// not tell its alignment, so where it lies is not known.
bool is_aligned_va_arg(const llvm::IntrinsicInst& i) {
  const auto* mask = llvm::dyn_cast<llvm::ConstantInt>(i.getArgOperand(1));
  const auto* up = llvm::dyn_cast<llvm::GetElementPtrInst>(i.getArgOperand(0));
  if (mask == nullptr || mask->getSExtValue() != -16 || up == nullptr) return false;
  llvm::APInt by(64, 0);
  std::set<const llvm::Value*> seen;
  return up->accumulateConstantOffset(i.getModule()->getDataLayout(), by) && by == 15 &&
         is_argument_area(up->getPointerOperand(), seen);
}

}  // namespace

const llvm::IntrinsicInst* trap_of(const llvm::BasicBlock& block) {
  const auto* trap = llvm::dyn_cast_or_null<llvm::IntrinsicInst>(block.getFirstNonPHIOrDbg());
  const bool ends = trap != nullptr && trap->getIntrinsicID() == in::ubsantrap && block.phis().empty() &&
                    llvm::isa_and_nonnull<llvm::UnreachableInst>(trap->getNextNonDebugInstruction());
  return ends ? trap : nullptr;
}

// What a trap of -fsanitize-trap stands for: clang numbers its checks (SanitizerHandler in its CodeGenFunction.h).
const char* trap_kind(const llvm::IntrinsicInst& i) {
  if (i.getIntrinsicID() != in::ubsantrap) return "trap";
  switch (llvm::cast<llvm::ConstantInt>(i.getArgOperand(0))->getZExtValue()) {
    case 0:
    case 3:
    case 12:
    case 13:
    case 21: return "signed-overflow";
    case 20: return "shift";
    case 24: return "array-size";
    default: return "trap";
  }
}

void FunctionTranslator::int_math(const llvm::IntrinsicInst& i, IntMath f, unsigned arity) {
  const auto w = width_of(i.getType(), layout_);
  const bool flag = f == IntMath::Ctlz || f == IntMath::Cttz || f == IntMath::Abs;
  const Parts a = operands(i.getArgOperand(0));
  const bool by_halves = f == IntMath::Bswap || f == IntMath::Fshl || f == IntMath::Fshr;
  if (w > 64 && (i.getType()->isVectorTy() || w > 128 || (w != 128 && by_halves))) {
    unsupported(i);
    return;
  }
  if (w > 64) {
    const Parts b = arity > 1 ? operands(i.getArgOperand(1)) : Parts{};
    const Parts to = define(i);
    auto wide = [&](Wide g, const Parts& uses, const Parts& defs) {
      auto& e = emit(Op::Wide, w);
      e.sub = static_cast<std::uint8_t>(g);
      e.uses = uses;
      e.defs = defs;
    };
    auto pick = [&](Wide less, bool second_if_less) {
      Parts uses = a;
      uses.insert(uses.end(), b.begin(), b.end());
      const auto is_less = fresh();
      wide(less, uses, {is_less});
      for (std::size_t k = 0; k < 2; ++k) {
        auto& e = emit(Op::Select, 64);
        e.dst = to[k];
        e.a = is_less;
        e.b = second_if_less ? b[k] : a[k];
        e.c = second_if_less ? a[k] : b[k];
      }
    };
    switch (f) {
      case IntMath::Ctlz: wide(Wide::Ctlz, {a[0], a[1], b[0]}, to); return;
      case IntMath::Cttz: wide(Wide::Cttz, {a[0], a[1], b[0]}, to); return;
      case IntMath::Abs: wide(Wide::Abs, {a[0], a[1], b[0]}, to); return;
      case IntMath::SMin: pick(Wide::SLt, false); return;
      case IntMath::UMin: pick(Wide::ULt, false); return;
      case IntMath::SMax: pick(Wide::SLt, true); return;
      case IntMath::UMax: pick(Wide::ULt, true); return;
      case IntMath::Bswap:
        for (std::size_t k = 0; k < 2; ++k) {
          auto& e = emit(Op::IntMath, 64);
          e.sub = static_cast<std::uint8_t>(IntMath::Bswap);
          e.dst = to[k];
          e.a = a[1 - k];
          e.b = e.c = number(0);
        }
        return;
      case IntMath::Ctpop: {
        const auto zero = number(0);
        const auto low = emit_value(Op::IntMath, 64, a[0], zero, zero, static_cast<std::uint8_t>(f));
        const auto high = emit_value(Op::IntMath, 64, a[1], zero, zero, static_cast<std::uint8_t>(f));
        copy_into(i, {emit_value(Op::Add, 64, low, high), zero});
        return;
      }
      case IntMath::Fshl:
      case IntMath::Fshr: {
        // By halves of a 256-bit number: shift both and join; a shift by zero keeps one operand.
        const Parts c = operands(i.getArgOperand(2));
        const Parts s{emit_value(Op::And, 64, c[0], number(127)), number(0)};
        const Parts rest{emit_value(Op::Sub, 64, number(128), s[0]), number(0)};
        auto shifted = [&](Wide g, const Parts& x, const Parts& by) {
          const Parts r{fresh(), fresh()};
          wide(g, {x[0], x[1], by[0], by[1]}, r);
          return r;
        };
        const Parts up = shifted(Wide::Shl, a, f == IntMath::Fshl ? s : rest),
                    down = shifted(Wide::LShr, b, f == IntMath::Fshl ? rest : s);
        const auto none = emit_value(Op::Eq, 64, s[0], number(0));
        for (std::size_t k = 0; k < 2; ++k) {
          const auto joined = emit_value(Op::Or, 64, up[k], down[k]);
          auto& e = emit(Op::Select, 64);
          e.dst = to[k];
          e.a = none;
          e.b = f == IntMath::Fshl ? a[k] : b[k];
          e.c = joined;
        }
        return;
      }
      default: saturating(i, f, a, b); return;
    }
  }
  const Parts b = arity > 1 ? operands(i.getArgOperand(1)) : Parts{},
              c = arity > 2 ? operands(i.getArgOperand(2)) : Parts{};
  const Parts to = define(i);
  for (std::size_t k = 0; k < to.size(); ++k) {
    const auto second = arity > 1 ? b[flag ? 0 : k] : number(0), third = arity > 2 ? c[k] : number(0);
    auto& e = emit(Op::IntMath, w);
    e.sub = static_cast<std::uint8_t>(f);
    e.dst = to[k];
    e.a = a[k];
    e.b = second;
    e.c = third;
  }
}

// Integers of more than 64 bits: the operation, whether it overflows, and the end of the range that it runs into.
void FunctionTranslator::saturating(const llvm::IntrinsicInst& i, IntMath f, const Parts& a, const Parts& b) {
  const auto w = width_of(i.getType(), layout_);
  const auto wide = [&](Wide g, const Parts& x, const Parts& y, std::size_t results) {
    Parts defs;
    while (defs.size() < results) defs.push_back(fresh());
    auto& e = emit(Op::Wide, w);
    e.sub = static_cast<std::uint8_t>(g);
    e.uses = x;
    e.uses.insert(e.uses.end(), y.begin(), y.end());
    e.defs = defs;
    return defs;
  };
  const auto choose = [&](DraftOperand condition, const Parts& yes, const Parts& no) {
    Parts result;
    for (std::size_t k = 0; k < yes.size(); ++k) result.push_back(emit_value(Op::Select, 64, condition, yes[k], no[k]));
    return result;
  };
  const Parts none{number(0), number(0)}, all{number(~std::uint64_t{0}), number(vm::mask_of(w - 64))};
  const Parts most{number(~std::uint64_t{0}), number(vm::mask_of(w - 65))};
  const Parts least{number(0), number(std::uint64_t{1} << (w - 65))};
  // A sum overflows towards the sign of its parts, a difference and a shift towards that of the first.
  const auto signed_end = [&] { return choose(wide(Wide::SLt, a, none, 1)[0], least, most); };
  Parts value, end;
  DraftOperand overflows = no_operand;
  switch (f) {
    case IntMath::UAddSat:
      overflows = wide(Wide::UAddO, a, b, 1)[0];
      value = wide(Wide::Add, a, b, 2), end = all;
      break;
    case IntMath::USubSat:
      overflows = wide(Wide::USubO, a, b, 1)[0];
      value = wide(Wide::Sub, a, b, 2), end = none;
      break;
    case IntMath::SAddSat:
      overflows = wide(Wide::SAddO, a, b, 1)[0];
      value = wide(Wide::Add, a, b, 2), end = signed_end();
      break;
    case IntMath::SSubSat:
      overflows = wide(Wide::SSubO, a, b, 1)[0];
      value = wide(Wide::Sub, a, b, 2), end = signed_end();
      break;
    case IntMath::UShlSat:
    case IntMath::SShlSat: {
      const bool is_signed = f == IntMath::SShlSat;
      value = wide(Wide::Shl, a, b, 2);
      overflows = wide(Wide::Ne, wide(is_signed ? Wide::AShr : Wide::LShr, value, b, 2), a, 1)[0];
      end = is_signed ? signed_end() : all;
      break;
    }
    default: unsupported(i); return;
  }
  copy_into(i, choose(overflows, end, value));
}

void FunctionTranslator::float_math(const llvm::IntrinsicInst& i, FloatMath f, unsigned arity) {
  const auto w = width_of(i.getArgOperand(0)->getType(), layout_);
  if (w != 32 && w != 64) {
    unsupported(i);
    return;
  }
  const bool scalar_second = f == FloatMath::Powi || f == FloatMath::IsFpClass;
  const Parts a = operands(i.getArgOperand(0)), b = arity > 1 ? operands(i.getArgOperand(1)) : Parts{},
              c = arity > 2 ? operands(i.getArgOperand(2)) : Parts{};
  const Parts to = define(i);
  for (std::size_t k = 0; k < to.size(); ++k) {
    const auto second = arity > 1 ? b[scalar_second ? 0 : k] : number(0), third = arity > 2 ? c[k] : number(0);
    auto& e = emit(Op::FloatMath, w);
    e.sub = static_cast<std::uint8_t>(f);
    e.dst = to[k];
    e.a = a[k];
    e.b = second;
    e.c = third;
  }
}

void FunctionTranslator::overflow(const llvm::IntrinsicInst& i, Op op, IntMath f, Wide wide, Wide flag) {
  auto* type = i.getArgOperand(0)->getType();
  const auto w = width_of(type, layout_);
  const Parts a = operands(i.getArgOperand(0)), b = operands(i.getArgOperand(1));
  const Parts to = define(i);
  if (type->isVectorTy() || w > 128) {
    unsupported(i);
    return;
  }
  if (w > 64) {
    Parts uses = a;
    uses.insert(uses.end(), b.begin(), b.end());
    const Parts value{fresh(), fresh()};
    for (const bool is_flag : {false, true}) {
      auto& e = emit(Op::Wide, w);
      e.sub = static_cast<std::uint8_t>(is_flag ? flag : wide);
      e.uses = uses;
      e.defs = is_flag ? Parts{to[2]} : Parts{to[0], to[1]};
    }
    return;
  }
  auto& e = emit(op, w);
  e.dst = to[0];
  e.a = a[0];
  e.b = b[0];
  const auto zero = number(0);
  auto& g = emit(Op::IntMath, w);
  g.sub = static_cast<std::uint8_t>(f);
  g.dst = to[1];
  g.a = a[0];
  g.b = b[0];
  g.c = zero;
}

void FunctionTranslator::intrinsic(const llvm::IntrinsicInst& i) {
  if (const auto* m = llvm::dyn_cast<llvm::MemIntrinsic>(&i)) {
    memory_transfer(*m);
    return;
  }
  const auto id = i.getIntrinsicID();
  for (const auto& row : int_rows)
    if (row.id == id) return int_math(i, row.f, row.arity);
  for (const auto& row : float_rows)
    if (row.id == id) return float_math(i, row.f, row.arity);
  for (const auto& row : overflow_rows)
    if (row.id == id) return overflow(i, row.op, row.f, row.wide, row.wide_flag);
  switch (id) {
    case in::lifetime_start:
    case in::lifetime_end: {
      const auto* a = llvm::dyn_cast<llvm::AllocaInst>(i.getArgOperand(1)->stripPointerCasts());
      if (a != nullptr) lifetime(*a, id == in::lifetime_start);
      return;
    }
    case in::dbg_declare:
    case in::dbg_value:
    case in::dbg_label:
    case in::prefetch:
    case in::donothing:
    case in::vaend:
    case in::sideeffect:
    case in::experimental_noalias_scope_decl:
    case in::var_annotation:
    case in::invariant_end:
    case in::pseudoprobe: return;
    case in::assume: require(i.getArgOperand(0), true, "false-assumption"); return;
    case in::invariant_start: assign(i, {number(0)}); return;
    case in::ssa_copy: assign(i, operands(i.getArgOperand(0))); return;
    case in::expect:
    case in::expect_with_probability:
    case in::annotation:
    case in::ptr_annotation:
    case in::launder_invariant_group:
    case in::strip_invariant_group:
    case in::arithmetic_fence:
    case in::canonicalize: copy_into(i, Parts(operands(i.getArgOperand(0)))); return;
    case in::ptrmask: {
      if (is_aligned_va_arg(i)) {
        unsupported("an argument of 16-byte alignment behind the dots is not supported");
        define(i);
        return;
      }
      const auto a = one(i.getArgOperand(0)), m = one(i.getArgOperand(1));
      copy_into(i, {emit_value(Op::And, 64, a, m)});
      return;
    }
    case in::fmuladd: {
      // Not contracted: two roundings, as -ffp-contract=off has it.
      const auto w = width_of(i.getType(), layout_);
      const Parts a = operands(i.getArgOperand(0)), b = operands(i.getArgOperand(1)), c = operands(i.getArgOperand(2));
      Parts result;
      for (std::size_t k = 0; k < a.size(); ++k)
        result.push_back(emit_value(Op::FAdd, w, emit_value(Op::FMul, w, a[k], b[k]), c[k]));
      copy_into(i, result);
      return;
    }
    case in::scmp:
    case in::ucmp: {
      const auto from = width_of(i.getArgOperand(0)->getType(), layout_), to = width_of(i.getType(), layout_);
      if (from > 64 || i.getType()->isVectorTy()) break;
      const auto a = one(i.getArgOperand(0)), b = one(i.getArgOperand(1)), zero = number(0);
      const auto r = emit_value(Op::IntMath, from, a, b, zero,
                                static_cast<std::uint8_t>(id == in::scmp ? IntMath::Cmp3S : IntMath::Cmp3U));
      copy_into(i, {emit_value(Op::Trunc, to, r)});
      return;
    }
    case in::fptosi_sat:
    case in::fptoui_sat: {
      const auto from = width_of(i.getArgOperand(0)->getType(), layout_), to = width_of(i.getType(), layout_);
      if ((from != 32 && from != 64) || to > 64) break;
      const auto f = static_cast<std::uint8_t>(id == in::fptosi_sat ? FloatMath::ToSISat : FloatMath::ToUISat);
      const auto bits = number(to), zero = number(0);
      Parts result;
      for (const auto a : operands(i.getArgOperand(0)))
        result.push_back(emit_value(Op::FloatMath, from, a, bits, zero, f));
      copy_into(i, result);
      return;
    }
    case in::frexp: {
      const auto from = width_of(i.getArgOperand(0)->getType(), layout_);
      if (from != 32 && from != 64) break;
      const auto zero = number(0);
      Parts result;
      for (const auto f : {FloatMath::FrexpFraction, FloatMath::FrexpExponent})
        for (const auto a : operands(i.getArgOperand(0)))
          result.push_back(emit_value(Op::FloatMath, from, a, zero, zero, static_cast<std::uint8_t>(f)));
      copy_into(i, result);
      return;
    }
    case in::lround:
    case in::llround:
    case in::lrint:
    case in::llrint: {
      const auto from = width_of(i.getArgOperand(0)->getType(), layout_), to = width_of(i.getType(), layout_);
      if ((from != 32 && from != 64) || to > 64 || i.getType()->isVectorTy()) break;
      const auto zero = number(0);
      const auto rounded = emit_value(
          Op::FloatMath, from, one(i.getArgOperand(0)), zero, zero,
          static_cast<std::uint8_t>(id == in::lround || id == in::llround ? FloatMath::Round : FloatMath::Rint));
      copy_into(i, {emit_value(Op::FToSI, to, rounded, no_operand, no_operand, static_cast<std::uint8_t>(from))});
      return;
    }
    case in::vastart: va_start(i); return;
    case in::vacopy: va_copy(i); return;
    case in::stacksave: {
      const auto dst = define(i)[0];
      emit(Op::StackSave).dst = dst;
      return;
    }
    case in::stackrestore: {
      const auto a = one(i.getArgOperand(0));
      emit(Op::StackRestore).a = a;
      return;
    }
    case in::threadlocal_address: copy_into(i, Parts(operands(i.getArgOperand(0)))); return;
    case in::trap:
    case in::debugtrap:
    case in::ubsantrap: {
      auto& e = emit(Op::Fail);
      e.a = e.b = number(0);
      e.imm = module_.string(trap_kind(i));
      return;
    }
    case in::frameaddress:
    case in::returnaddress: assign(i, {number(0)}); return;
    case in::is_constant: assign(i, {number(0)}); return;
    case in::objectsize: {
      const bool minimum = !llvm::cast<llvm::ConstantInt>(i.getArgOperand(1))->isZero();
      assign(i, {number(minimum ? 0 : vm::mask_of(width_of(i.getType(), layout_)))});
      return;
    }
    case in::get_rounding: assign(i, {number(1)}); return;
    case in::readcyclecounter:
    case in::readsteadycounter: assign(i, {number(0)}); return;
    default: break;
  }
  if (reduction(i)) return;
  if (!machine_intrinsic(i)) unsupported(i);
}

// The elements of a vector combined to one, from the first to the last.
bool FunctionTranslator::reduction(const llvm::IntrinsicInst& i) {
  struct Row {
    in::ID id;
    Op op;
    std::uint8_t sub = 0;
  };
  static constexpr auto of = [](auto f) { return static_cast<std::uint8_t>(f); };
  static constexpr Row rows[] = {{in::vector_reduce_add, Op::Add},
                                 {in::vector_reduce_mul, Op::Mul},
                                 {in::vector_reduce_and, Op::And},
                                 {in::vector_reduce_or, Op::Or},
                                 {in::vector_reduce_xor, Op::Xor},
                                 {in::vector_reduce_fadd, Op::FAdd},
                                 {in::vector_reduce_fmul, Op::FMul},
                                 {in::vector_reduce_smax, Op::IntMath, of(IntMath::SMax)},
                                 {in::vector_reduce_smin, Op::IntMath, of(IntMath::SMin)},
                                 {in::vector_reduce_umax, Op::IntMath, of(IntMath::UMax)},
                                 {in::vector_reduce_umin, Op::IntMath, of(IntMath::UMin)},
                                 {in::vector_reduce_fmax, Op::FloatMath, of(FloatMath::MaxNum)},
                                 {in::vector_reduce_fmin, Op::FloatMath, of(FloatMath::MinNum)},
                                 {in::vector_reduce_fmaximum, Op::FloatMath, of(FloatMath::Maximum)},
                                 {in::vector_reduce_fminimum, Op::FloatMath, of(FloatMath::Minimum)}};
  for (const Row& row : rows) {
    if (row.id != i.getIntrinsicID()) continue;
    const auto w = width_of(i.getType(), layout_);
    if (w > 64 || (i.getType()->isFloatingPointTy() && w != 32 && w != 64)) return false;
    const bool starts = i.arg_size() == 2;  // fadd and fmul have a number to start from
    Parts a = operands(i.getArgOperand(starts ? 1 : 0));
    if (starts) a.insert(a.begin(), one(i.getArgOperand(0)));
    const auto third = row.op == Op::IntMath || row.op == Op::FloatMath ? number(0) : no_operand;
    auto r = a[0];
    for (std::size_t k = 1; k < a.size(); ++k) r = emit_value(row.op, w, r, a[k], third, row.sub);
    copy_into(i, {r});
    return true;
  }
  return false;
}

// What _mm_pause, _mm_mfence, __dmb and the like are made of.
bool FunctionTranslator::machine_intrinsic(const llvm::IntrinsicInst& i) {
  const auto name = i.getCalledFunction()->getName();
  if (name == "llvm.x86.sse2.pause" || name == "llvm.aarch64.hint") return true;
  if (name == "llvm.x86.sse2.mfence") hardware_fence(core::Order::SeqCst, "");
  else if (name == "llvm.x86.sse2.lfence") hardware_fence(core::Order::Acquire, "");
  else if (name == "llvm.x86.sse.sfence") hardware_fence(core::Order::Release, "");
  else if (name == "llvm.aarch64.dmb" || name == "llvm.aarch64.dsb") {
    // The operand's lower two bits: 1 loads, 2 stores, 3 all (Arm ARM, C6.2.97).
    const auto* kind = llvm::dyn_cast<llvm::ConstantInt>(i.getArgOperand(0));
    const auto which = kind == nullptr ? 0 : kind->getZExtValue() & 3;
    if (which == 0) return false;
    if (which == 1) hardware_fence(core::Order::Acquire, "");
    else if (which == 2) hardware_fence(core::Order::Release, "dmb.st");
    else hardware_fence(core::Order::SeqCst, "");
  } else return false;
  return true;
}

}  // namespace heddle::lang::llvm_ir
