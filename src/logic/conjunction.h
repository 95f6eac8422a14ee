// Conjunctions of literals over enumerations, infinite sets, integers and reals, and whether they have a model.
//
// Variables are numbers from 0; variable 0 is the constant 0 of every sort. A literal says x - y op c. For a finite
// sort of n values a value is its number 0 … n-1; for an infinite sort (processes, abstract types) constants are any
// numbers. In both, only Equal and NotEqual make sense, with c = 0 unless x or y is variable 0. Int and Real know all
// of them; LessThan is for reals only (over integers it is LessEqual c - 1). What is no difference stands in `linear`.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace heddle::logic {

enum class Op : std::uint8_t { Equal, NotEqual, LessEqual, LessThan };

struct Sort {
  enum class Kind : std::uint8_t { Finite, Infinite, Int, Real };
  Kind kind = Kind::Int;
  unsigned values = 0;  // of a finite sort, at most 64
};

using Var = std::uint32_t;
inline constexpr Var zero = 0;

struct Literal {
  Op op = Op::Equal;
  Var x = zero, y = zero;
  std::int64_t c = 0;
};

// sum of factor * variable, op c; all variables are Int, or all are Real.
struct Linear {
  Op op = Op::LessEqual;
  std::vector<std::pair<Var, std::int64_t>> sum;
  std::int64_t c = 0;
};

struct Conjunction {
  std::vector<Sort> sorts;  // of variables 0, 1, …; the entry of variable 0 is not looked at
  std::vector<Literal> literals;
  std::vector<Linear> linear;
};

enum class Answer : std::uint8_t { Satisfiable, Unsatisfiable, Unknown };

// Built-in: union-find and domains for finite and infinite sorts, shortest paths for differences, splitting on
// disequalities. Complete unless there are linear literals, or the splitting exceeds its bound: then Unknown, unless
// the rest alone is unsatisfiable.
Answer decide_builtin(const Conjunction&);

// Z3; Unknown only if Z3 gives up.
Answer decide_z3(const Conjunction&);

// The built-in procedure, and Z3 for what it leaves open. Thread-safe.
Answer decide(const Conjunction&);

}  // namespace heddle::logic
