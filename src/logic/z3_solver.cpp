// Z3 stops here: no other file sees its types.
// SPDX-License-Identifier: Apache-2.0
#include <z3++.h>

#include <memory>

#include "logic/conjunction.h"

namespace heddle::logic {

namespace {

// Every sort becomes Int or Real: a finite value is its number within bounds, an infinite one any number.
z3::expr compare(Op op, const z3::expr& left, const z3::expr& right) {
  switch (op) {
    case Op::Equal: return left == right;
    case Op::NotEqual: return left != right;
    case Op::LessEqual: return left <= right;
    case Op::LessThan: return left < right;
  }
  return left == right;
}

}  // namespace

Answer decide_z3(const Conjunction& f) {
  // One context and one solver per thread: both are slow to make and cannot be shared.
  thread_local const std::unique_ptr<z3::context> context = std::make_unique<z3::context>();
  thread_local z3::solver solver(*context, z3::solver::simple());
  z3::context& c = *context;
  try {
    const struct Level {
      Level() { solver.push(); }
      ~Level() { solver.pop(); }
    } level;
    std::vector<z3::expr> vars;
    vars.reserve(f.sorts.size());
    for (std::size_t i = 0; i < f.sorts.size(); ++i) {
      const std::string name = "v" + std::to_string(i);
      if (i == zero) {
        vars.push_back(c.int_val(0));
      } else if (f.sorts[i].kind == Sort::Kind::Real) {
        vars.push_back(c.real_const(name.c_str()));
      } else {
        vars.push_back(c.int_const(name.c_str()));
        if (f.sorts[i].kind == Sort::Kind::Finite)
          solver.add(vars.back() >= 0 && vars.back() < c.int_val(f.sorts[i].values));
      }
    }
    const auto real = [&](Var v) { return v != zero && f.sorts[v].kind == Sort::Kind::Real; };
    for (const Literal& l : f.literals) {
      const bool as_real = real(l.x) || real(l.y);
      const z3::expr bound = as_real ? c.real_val(l.c) : c.int_val(l.c);
      const z3::expr x = as_real && l.x == zero ? c.real_val(0) : vars[l.x];
      const z3::expr y = as_real && l.y == zero ? c.real_val(0) : vars[l.y];
      solver.add(compare(l.op, x - y, bound));
    }
    for (const Linear& l : f.linear) {
      const bool as_real = !l.sum.empty() && real(l.sum.front().first);
      z3::expr sum = as_real ? c.real_val(0) : c.int_val(0);
      for (const auto& [v, factor] : l.sum) sum = sum + (as_real ? c.real_val(factor) : c.int_val(factor)) * vars[v];
      solver.add(compare(l.op, sum, as_real ? c.real_val(l.c) : c.int_val(l.c)));
    }
    switch (solver.check()) {
      case z3::sat: return Answer::Satisfiable;
      case z3::unsat: return Answer::Unsatisfiable;
      case z3::unknown: return Answer::Unknown;
    }
  } catch (const z3::exception&) {
    return Answer::Unknown;
  }
  return Answer::Unknown;
}

}  // namespace heddle::logic
