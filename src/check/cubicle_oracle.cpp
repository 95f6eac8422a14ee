// SPDX-License-Identifier: Apache-2.0
#include "check/cubicle_oracle.h"

#include <algorithm>

namespace heddle::check {

bool CubicleOracle::possible(const array::Cube& cube, const array::System& system) const {
  if (cube.processes > machine_.processes() || !cube.promises.empty() || !cube.linear.empty()) return true;
  for (const array::Literal& l : cube.literals)
    for (const array::Atom a : {l.x, l.y})
      if (!a.is_zero() && !a.is_process() && system.type(a.symbol()).kind == cubicle::Type::Kind::Real) return true;
  for (auto names : machine_.tuples(cube.processes)) {
    bool named = true;
    for (unsigned k = 0; k < system.named() && k < names.size(); ++k) named = named && names[k] == k;
    if (!named) continue;
    for (const CubicleMachine::State& s : seen_.states)
      if (matches(cube, system, s, names)) return true;
  }
  return false;
}

bool CubicleOracle::matches(const array::Cube& cube, const array::System&, const CubicleMachine::State& s,
                            std::vector<unsigned>& names) const {
  const auto value = [&](array::Atom a) -> std::int64_t {
    if (a.is_zero()) return 0;
    const auto of = [&](array::Process p) { return p == array::no_process ? 0U : names[p]; };
    if (a.is_process()) return of(a.a());
    const std::uint32_t c = machine_.cell(a.symbol(), of(a.a()), of(a.b()));
    return a.is_read() ? machine_.view(s, of(a.reader()), c) : s.memory[c];
  };
  for (const array::Literal& l : cube.literals) {
    const std::int64_t d = value(l.x) - value(l.y);
    const bool ok = l.op == logic::Op::Equal       ? d == l.c
                    : l.op == logic::Op::NotEqual  ? d != l.c
                    : l.op == logic::Op::LessEqual ? d <= l.c
                                                   : d < l.c;
    if (!ok) return false;
  }
  return true;
}

}  // namespace heddle::check
