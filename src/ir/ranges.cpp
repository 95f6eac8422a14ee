// SPDX-License-Identifier: Apache-2.0
#include "ir/ranges.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <optional>

namespace heddle::ir {
namespace {

constexpr unsigned patient_rounds = 40;  // a bound that still moves after so many goes to its type's

// Of a value while it is computed; wide enough that no operation on two of 32 bits overflows.
struct Interval {
  std::int64_t low, high;
  bool empty() const { return low > high; }
};
constexpr Interval any{INT32_MIN, INT32_MAX};
constexpr Interval truth{0, 1};

// Arithmetic wraps at 32 bits: then it may be anything.
Interval wrapped(Interval i) { return i.low < any.low || i.high > any.high ? any : i; }
Interval hull(Interval a, Interval b) { return {std::min(a.low, b.low), std::max(a.high, b.high)}; }
Interval of(Range r) { return {r.low, r.high}; }

template <class F>
Interval corners(Interval a, Interval b, F f) {
  const auto all = {f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)};
  return {std::min(all), std::max(all)};
}

Interval divided(Interval a, Interval b) {
  if (b.low < 1) return any;
  return corners(a, b, [](std::int64_t x, std::int64_t y) { return x / y; });
}

Interval remainder(Interval a, Interval b) {
  const std::int64_t most = std::max(std::abs(b.low), std::abs(b.high)) - 1;  // the sign is the dividend's
  if (most < 0) return any;
  return {a.low < 0 ? std::max(a.low, -most) : 0, a.high > 0 ? std::min(a.high, most) : 0};
}

Interval by_bits(Op op, Interval a, Interval b) {
  if (op == Op::BitAnd && (a.low >= 0 || b.low >= 0))
    return {0, a.low < 0 ? b.high : b.low < 0 ? a.high : std::min(a.high, b.high)};
  if (op == Op::BitAnd || a.low < 0 || b.low < 0) return any;
  const auto widest = static_cast<std::uint64_t>(std::max(a.high, b.high));
  return {0, (std::int64_t{1} << std::bit_width(widest)) - 1};
}

class Analysis {
 public:
  explicit Analysis(const Program& program) : program_(program) {
    for (const Variable& v : program.variables) {
      const auto [low, high] = std::ranges::minmax_element(v.initial);
      ranges_.push_back(v.initial.empty() ? range_of(v.type) : Range{*low, *high});
    }
    // Set by ir/steps.h itself.
    for (const std::uint32_t v : {program.holder, program.timeout})
      if (v != none) ranges_[v] = range_of(program.variables[v].type);
  }

  std::vector<Range> run() {
    for (round_ = 0, grew_ = true; grew_; ++round_) {
      grew_ = false;
      for (const Edge& edge : program_.edges) take(edge);
    }
    return std::move(ranges_);
  }

 private:
  struct Known {
    std::uint32_t var;
    Interval values;
  };

  // Assigned by what a step does before its effects, or by an effect before this one: no longer as the guard saw it.
  void forget(std::uint32_t var) {
    std::erase_if(known_, [&](const Known& k) { return k.var == var; });
  }

  void take(const Edge& edge) {
    known_.clear();
    if (edge.guard != no_expr && !assume(edge.guard, edge.process)) return;
    for (const auto* list : {&edge.targets, &edge.effects})
      for (const Assignment& a : *list) {
        if (a.kind != Assignment::Kind::Store) continue;
        store(a.var, a.value == no_expr ? any : value(a.value));
        forget(a.var);
      }
  }

  void store(std::uint32_t var, Interval values) {
    const Interval type = of(range_of(program_.variables[var].type));
    const bool fits = values.low >= type.low && values.high <= type.high;
    if (!fits)
      values = program_.wraps ? type : Interval{std::max(values.low, type.low), std::min(values.high, type.high)};
    if (values.empty()) return;
    Range& range = ranges_[var];
    if (values.low < range.low) range.low = static_cast<std::int32_t>(round_ < patient_rounds ? values.low : type.low);
    else if (values.high <= range.high) return;
    if (values.high > range.high)
      range.high = static_cast<std::int32_t>(round_ < patient_rounds ? values.high : type.high);
    grew_ = true;
  }

  // What the guard says about local variables by comparisons with constants. False: it cannot hold.
  bool assume(ExprId id, std::uint32_t process) {
    const Expr& e = program_.exprs[id];
    if (e.op == Op::And) return assume(e.left, process) && assume(e.right, process);
    if (e.op < Op::Lt || e.op > Op::Ne) return true;
    const Expr &left = program_.exprs[e.left], &right = program_.exprs[e.right];
    if (left.op == Op::Var && right.op == Op::Const) return narrow(left.var, e.op, right.value, process);
    if (left.op == Op::Const && right.op == Op::Var) return narrow(right.var, turned(e.op), left.value, process);
    return true;
  }

  static Op turned(Op op) {
    switch (op) {
      case Op::Lt: return Op::Gt;
      case Op::Le: return Op::Ge;
      case Op::Gt: return Op::Lt;
      case Op::Ge: return Op::Le;
      default: return op;
    }
  }

  bool narrow(std::uint32_t var, Op op, std::int64_t c, std::uint32_t process) {
    if (program_.variables[var].process != process) return true;
    Interval now = values_of(var);
    switch (op) {
      case Op::Lt: now.high = std::min(now.high, c - 1); break;
      case Op::Le: now.high = std::min(now.high, c); break;
      case Op::Gt: now.low = std::max(now.low, c + 1); break;
      case Op::Ge: now.low = std::max(now.low, c); break;
      case Op::Eq: now = {std::max(now.low, c), std::min(now.high, c)}; break;
      default:
        if (now.low == c) ++now.low;
        if (now.high == c) --now.high;
    }
    forget(var);
    known_.push_back({var, now});
    return !now.empty();
  }

  Interval values_of(std::uint32_t var) const {
    const auto known = std::ranges::find(known_, var, &Known::var);
    return known != known_.end() ? known->values : of(ranges_[var]);
  }

  Interval value(ExprId id) const {
    const Expr& e = program_.exprs[id];
    switch (e.op) {
      case Op::Const: return {e.value, e.value};
      case Op::Var: return values_of(e.var);
      case Op::Index:
      case Op::Seen: return of(ranges_[e.var]);
      case Op::ChannelLength: return {0, program_.channels[e.var].capacity};
      case Op::Not:
      case Op::And:
      case Op::Or:
      case Op::Imply:
      case Op::InState:
      case Op::Lt:
      case Op::Le:
      case Op::Gt:
      case Op::Ge:
      case Op::Eq:
      case Op::Ne: return truth;
      case Op::Cond: return hull(value(program_.exprs[e.right].left), value(program_.exprs[e.right].right));
      case Op::Neg: {
        const Interval a = value(e.left);
        return wrapped({-a.high, -a.low});
      }
      default: break;
    }
    return e.left == no_expr || e.right == no_expr ? any : binary(e.op, value(e.left), value(e.right));
  }

  static Interval binary(Op op, Interval a, Interval b) {
    switch (op) {
      case Op::Add: return wrapped({a.low + b.low, a.high + b.high});
      case Op::Sub: return wrapped({a.low - b.high, a.high - b.low});
      case Op::Mul: return wrapped(corners(a, b, [](std::int64_t x, std::int64_t y) { return x * y; }));
      case Op::Div: return divided(a, b);
      case Op::Mod: return remainder(a, b);
      case Op::BitAnd:
      case Op::BitOr:
      case Op::BitXor: return by_bits(op, a, b);
      case Op::Shr: return a.low >= 0 ? Interval{0, a.high} : any;
      default: return any;
    }
  }

  const Program& program_;
  std::vector<Range> ranges_;
  std::vector<Known> known_;  // of the edge in hand
  unsigned round_ = 0;
  bool grew_ = false;
};

}  // namespace

std::vector<Range> value_ranges(const Program& program) { return Analysis(program).run(); }

}  // namespace heddle::ir
