// The normal form of a cube's data.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <numeric>
#include <optional>

#include "array/cube.h"

namespace heddle::array {

using logic::Op;

namespace {

unsigned symbol_of(Atom a) { return a.is_any() ? a.any_symbol() : a.symbol(); }

// The symbol whose type both sides of a literal have; nothing if both are processes or numbers.
std::optional<unsigned> typing(Atom x, Atom y) {
  for (const Atom a : {x, y})
    if (a.kind() != Atom::Kind::Special || a.is_any()) return symbol_of(a);
  return std::nullopt;
}

bool holds(Op op, std::int64_t c) {  // 0 op c
  switch (op) {
    case Op::Equal: return c == 0;
    case Op::NotEqual: return c != 0;
    case Op::LessEqual: return 0 <= c;
    case Op::LessThan: return 0 < c;
  }
  return false;
}

std::int64_t floor_div(std::int64_t a, std::int64_t b) {
  const std::int64_t q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

class Normaliser {
 public:
  Normaliser(Cube& cube, const System& system) : cube_(cube), system_(system) {}

  bool run(const std::vector<Constraint>& constraints) {
    cube_.literals.clear();
    cube_.linear.clear();
    for (const Constraint& c : constraints)
      if (!add(c)) return false;
    // Every round that changes something lowers the number of unsolved equalities or of literals.
    do {
      changed_ = false;
      if (!solve() || !narrow()) return false;
    } while (changed_);
    eliminate_any();
    std::sort(cube_.literals.begin(), cube_.literals.end());
    cube_.literals.erase(std::unique(cube_.literals.begin(), cube_.literals.end()), cube_.literals.end());
    // Literals about the order of processes that follow from the others are dropped.
    if (system_.source->ordered)
      for (std::size_t i = cube_.literals.size(); i-- > 0;)
        if (order_follows(cube_.literals, cube_.literals[i]))
          cube_.literals.erase(cube_.literals.begin() + static_cast<std::ptrdiff_t>(i));
    std::sort(cube_.linear.begin(), cube_.linear.end());
    cube_.linear.erase(std::unique(cube_.linear.begin(), cube_.linear.end()), cube_.linear.end());
    return true;
  }

 private:
  bool real(Atom a) const {
    return a.kind() != Atom::Kind::Special || a.is_any() ? system_.type(symbol_of(a)).kind == cubicle::Type::Kind::Real
                                                         : false;
  }

  void push(Op op, Atom x, Atom y, std::int64_t c) {
    if ((op == Op::Equal || op == Op::NotEqual) && y < x) {
      std::swap(x, y);
      c = -c;
    }
    cube_.literals.push_back({x, y, op, c});
  }

  // Adds one constraint in the simplest form it has; false if it is false.
  bool add(const Constraint& constraint) {
    const Sum& s = constraint.sum;
    const Op op = constraint.op;
    constexpr std::int64_t most = std::int64_t{1} << 40;
    for (const Sum::Term& m : s)
      if (m.factor > most || m.factor < -most) throw OutOfRange{beyond_numbers};
    if (s.c > most || s.c < -most) throw OutOfRange{beyond_numbers};
    if (s.size() == 0) return holds(op, -s.c);
    const Sum::Term* t = s.begin();
    const bool is_real = std::any_of(s.begin(), s.end(), [&](const Sum::Term& m) { return real(m.atom); });
    std::int64_t g = 0;
    for (const Sum::Term& m : s) g = std::gcd(g, m.factor);
    std::int64_t c = -s.c;  // Σ op c
    if (c % g == 0) {
      c /= g;
    } else if (!is_real) {
      if (op == Op::Equal) return false;
      if (op == Op::NotEqual) return true;
      c = floor_div(c, g);
    } else {
      g = std::gcd(g, c);
      c /= g;
    }
    if (s.size() == 1 && (t[0].factor == g || t[0].factor == -g)) {
      if (t[0].factor == g) push(op, t[0].atom, Atom::zero(), c);
      else push(op, Atom::zero(), t[0].atom, c);
      return true;
    }
    if (s.size() == 2 && t[0].factor == -t[1].factor && (t[0].factor == g || t[0].factor == -g)) {
      const bool first = t[0].factor > 0;
      const Atom x = first ? t[0].atom : t[1].atom, y = first ? t[1].atom : t[0].atom;
      if (x.is_process() && y.is_process()) {  // different ones
        if (op == Op::Equal || op == Op::NotEqual) return op == Op::NotEqual;
        if (const auto first_is_less = precedes(x.a(), y.a(), system_)) return *first_is_less;
        push(Op::LessThan, x, y, 0);
        return true;
      }
      push(op, x, y, c);
      return true;
    }
    LinearLiteral l;
    l.op = op;
    l.c = c;
    for (const Sum::Term& m : s) l.sum.emplace_back(m.atom, m.factor / g);
    std::sort(l.sum.begin(), l.sum.end());
    if ((op == Op::Equal || op == Op::NotEqual) && l.sum.front().second < 0) {
      for (auto& [a, f] : l.sum) f = -f;
      l.c = -l.c;
    }
    cube_.linear.push_back(std::move(l));
    return true;
  }

  struct Member {
    Atom atom;
    std::uint32_t parent;
    std::int64_t offset;  // atom = parent + offset
  };

  std::uint32_t member(Atom a) {
    for (std::uint32_t i = 0; i < members_.size(); ++i)
      if (members_[i].atom == a) return i;
    members_.push_back({a, static_cast<std::uint32_t>(members_.size()), 0});
    return static_cast<std::uint32_t>(members_.size() - 1);
  }

  std::pair<std::uint32_t, std::int64_t> root(std::uint32_t i) const {
    std::int64_t offset = 0;
    while (members_[i].parent != i) {
      offset += members_[i].offset;
      i = members_[i].parent;
    }
    return {i, offset};
  }

  // Roots are best numbers and processes, then the least atom; a value that only has to exist is the last choice.
  static int rank(Atom a) { return a.is_any() ? 2 : a.kind() == Atom::Kind::Special ? 0 : 1; }

  bool unite(Atom x, Atom y, std::int64_t c) {  // x - y = c
    auto [a, ao] = root(member(x));
    auto [b, bo] = root(member(y));
    std::int64_t d = c + bo - ao;  // a = b + d
    if (a == b) return d == 0;
    const Atom ra = members_[a].atom, rb = members_[b].atom;
    if (rank(ra) == 0 && rank(rb) == 0) return false;
    const bool a_is_root = rank(ra) != rank(rb) ? rank(ra) < rank(rb) : ra < rb;
    if (a_is_root) {
      members_[b].parent = a;
      members_[b].offset = -d;
    } else {
      members_[a].parent = b;
      members_[a].offset = d;
    }
    return true;
  }

  // The atom in terms of its root, if it has been met.
  std::pair<Atom, std::int64_t> solved(Atom a) const {
    for (std::uint32_t i = 0; i < members_.size(); ++i)
      if (members_[i].atom == a) {
        const auto [r, offset] = root(i);
        return {members_[r].atom, offset};
      }
    return {a, 0};
  }

  bool solve() {
    members_.clear();
    for (const Literal& l : cube_.literals)
      if (l.op == Op::Equal && !unite(l.x, l.y, l.c)) return false;
    if (members_.empty()) return true;
    std::swap(old_, cube_.literals);
    cube_.literals.clear();
    for (std::uint32_t i = 0; i < members_.size(); ++i) {
      const auto [r, offset] = root(i);
      if (r != i && !members_[i].atom.is_any() && !members_[r].atom.is_any())
        push(Op::Equal, members_[i].atom, members_[r].atom, offset);
      // A class of values that only have to exist: its other members hang together by the root, which must stay.
      if (r != i && members_[r].atom.is_any()) push(Op::Equal, members_[i].atom, members_[r].atom, offset);
    }
    for (const Literal& l : old_) {
      if (l.op == Op::Equal) continue;
      const auto [x, xo] = solved(l.x);
      const auto [y, yo] = solved(l.y);
      Constraint c;
      c.op = l.op;
      c.sum.add(x, 1);
      c.sum.add(y, -1);
      c.sum.c = xo - yo - l.c;
      if (!add(c)) return false;
    }
    if (!cube_.linear.empty()) {
      const std::vector<LinearLiteral> linear = std::move(cube_.linear);
      cube_.linear.clear();
      for (const LinearLiteral& l : linear) {
        Constraint c;
        c.op = l.op;
        c.sum.c = -l.c;
        for (const auto& [a, f] : l.sum) {
          const auto [r, offset] = solved(a);
          c.sum.add(r, f);
          c.sum.c = checked_sum(c.sum.c, checked_product(f, offset));
        }
        const std::size_t before = cube_.linear.size();
        if (!add(c)) return false;
        if (cube_.linear.size() == before) changed_ = true;  // became a literal, or true
      }
    }
    return true;
  }

  // Finite types: what is left of an atom's values. Bounds: the tightest, and equalities that two of them make.
  bool narrow() {
    auto& ls = cube_.literals;
    for (std::size_t i = 0; i < ls.size(); ++i) {
      const Literal l = ls[i];
      if (l.op == Op::Equal) {
        const auto symbol = typing(l.x, l.y);
        if (!symbol || !l.y.is_zero()) continue;
        const cubicle::Type& type = system_.type(*symbol);
        if (type.kind == cubicle::Type::Kind::Enumeration &&
            (l.c < 0 || l.c >= static_cast<std::int64_t>(type.constructors.size())))
          return false;
      } else if (l.op == Op::NotEqual) {
        if (!l.y.is_zero()) continue;
        const cubicle::Type& type = system_.type(symbol_of(l.x));
        if (type.kind != cubicle::Type::Kind::Enumeration) continue;
        const std::size_t n = type.constructors.size();
        std::uint64_t left = n >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << n) - 1;
        for (const Literal& o : ls)
          if (o.op == Op::NotEqual && o.x == l.x && o.y.is_zero() && o.c >= 0 && o.c < 64)
            left &= ~(std::uint64_t{1} << o.c);
        if (left == 0) return false;
        if (!std::has_single_bit(left)) continue;
        std::erase_if(ls, [&](const Literal& o) { return o.op == Op::NotEqual && o.x == l.x && o.y.is_zero(); });
        push(Op::Equal, l.x, Atom::zero(), std::countr_zero(left));
        changed_ = true;
        return true;
      } else {
        for (std::size_t j = 0; j < ls.size(); ++j) {
          const Literal o = ls[j];
          if (i == j || (o.op != Op::LessEqual && o.op != Op::LessThan)) continue;
          if (o.x == l.x && o.y == l.y &&
              (l.c < o.c || (l.c == o.c && (l.op == o.op ? i < j : l.op == Op::LessThan)))) {
            ls.erase(ls.begin() + static_cast<std::ptrdiff_t>(j));
            changed_ = true;
            return true;
          }
          if (o.x == l.y && o.y == l.x && o.c == -l.c) {
            if (o.op == Op::LessThan || l.op == Op::LessThan) return false;
            ls.erase(ls.begin() + static_cast<std::ptrdiff_t>(std::max(i, j)));
            ls.erase(ls.begin() + static_cast<std::ptrdiff_t>(std::min(i, j)));
            push(Op::Equal, l.x, l.y, l.c);
            changed_ = true;
            return true;
          }
        }
      }
    }
    return true;
  }

  // Values that only have to exist: what they equal is solved already; bounds on both sides of one are added up;
  // disequalities and general linear literals about one are given up, which only makes the cube larger.
  void eliminate_any() {
    const auto about = [](const Literal& l) { return l.x.is_any() || l.y.is_any(); };
    if (std::none_of(cube_.literals.begin(), cube_.literals.end(), about) && cube_.linear.empty()) return;
    std::erase_if(cube_.linear, [](const LinearLiteral& l) {
      return std::any_of(l.sum.begin(), l.sum.end(), [](const auto& m) { return m.first.is_any(); });
    });
    for (;;) {
      const auto it = std::find_if(cube_.literals.begin(), cube_.literals.end(), about);
      if (it == cube_.literals.end()) return;
      const Atom v = it->x.is_any() ? it->x : it->y;
      std::vector<Literal> above, below, rest;
      for (const Literal& l : cube_.literals) {
        if (l.x != v && l.y != v) rest.push_back(l);
        else if (l.op == Op::LessEqual || l.op == Op::LessThan) (l.x == v ? above : below).push_back(l);
      }
      cube_.literals = std::move(rest);
      for (const Literal& a : above)      // v - y <= c
        for (const Literal& b : below) {  // z - v <= d
          Constraint c;
          c.op = a.op == Op::LessThan || b.op == Op::LessThan ? Op::LessThan : Op::LessEqual;
          c.sum.add(b.x, 1);
          c.sum.add(a.y, -1);
          c.sum.c = -a.c - b.c;
          add(c);
        }
    }
  }

  Cube& cube_;
  const System& system_;
  std::vector<Member> members_;
  std::vector<Literal> old_;
  bool changed_ = false;
};

logic::Sort sort_of(const cubicle::Type& type, const System& system) {
  switch (type.kind) {
    case cubicle::Type::Kind::Enumeration:
      return {logic::Sort::Kind::Finite, static_cast<unsigned>(type.constructors.size())};
    case cubicle::Type::Kind::Int: return {logic::Sort::Kind::Int, 0};
    case cubicle::Type::Kind::Real: return {logic::Sort::Kind::Real, 0};
    case cubicle::Type::Kind::Proc:
      if (system.source->number_procs != 0) return {logic::Sort::Kind::Finite, system.source->number_procs};
      return {logic::Sort::Kind::Infinite, 0};
    case cubicle::Type::Kind::Abstract: return {logic::Sort::Kind::Infinite, 0};
  }
  return {};
}

}  // namespace

bool normalise(Cube& cube, const System& system, const std::vector<Constraint>& constraints) {
  return Normaliser(cube, system).run(constraints) && consistent(cube, system);
}

Constraint constraint(const Literal& l) {
  Constraint c;
  c.op = l.op;
  c.sum.add(l.x, 1);
  c.sum.add(l.y, -1);
  c.sum.c = -l.c;
  return c;
}

Constraint constraint(const LinearLiteral& l) {
  Constraint c;
  c.op = l.op;
  for (const auto& [a, f] : l.sum) c.sum.add(a, f);
  c.sum.c = -l.c;
  return c;
}

namespace {

bool is_proc(Atom a, const System& system) {
  if (a.is_process()) return true;
  return !a.is_zero() && system.type(symbol_of(a)).kind == cubicle::Type::Kind::Proc;
}

// The part of a cube that speaks of processes, where some of it is about their order: process numbers are integers,
// those of named processes fixed, all others greater and pairwise different.
bool consistent_order(const Cube& cube, const System& system) {
  std::vector<Atom> atoms;
  logic::Conjunction f;
  f.sorts.assign(1, {});
  const auto named = static_cast<std::int64_t>(system.named());
  const auto var = [&](Atom a) -> logic::Var {
    for (std::size_t i = 0; i < atoms.size(); ++i)
      if (atoms[i] == a) return static_cast<logic::Var>(i + 1);
    atoms.push_back(a);
    f.sorts.push_back({logic::Sort::Kind::Int, 0});
    const auto v = static_cast<logic::Var>(atoms.size());
    f.literals.push_back({Op::LessEqual, logic::zero, v, a.is_process() ? -named : 0});  // v >= named or 0
    if (system.source->number_procs != 0)
      f.literals.push_back({Op::LessEqual, v, logic::zero, std::int64_t{system.source->number_procs} - 1});
    if (a.is_process())
      for (std::size_t i = 0; i + 1 < atoms.size(); ++i)
        if (atoms[i].is_process()) f.literals.push_back({Op::NotEqual, static_cast<logic::Var>(i + 1), v, 0});
    return v;
  };
  for (const Literal& l : cube.literals) {
    if (!is_proc(l.x, system) && !is_proc(l.y, system)) continue;
    logic::Literal out{l.op, logic::zero, logic::zero, l.c};
    const auto side = [&](Atom a, int sign) -> logic::Var {
      if (!a.is_process() || a.a() >= named) return var(a);
      out.c -= sign * static_cast<int>(a.a());
      return logic::zero;
    };
    out.x = side(l.x, 1);
    out.y = side(l.y, -1);
    if (out.op == Op::LessThan) {
      out.op = Op::LessEqual;
      --out.c;
    }
    f.literals.push_back(out);
  }
  return logic::decide(f) != logic::Answer::Unsatisfiable;
}

}  // namespace

bool consistent(const Cube& cube, const System& system) {
  const auto about_order = [&](const Literal& l) {
    return (l.op == Op::LessEqual || l.op == Op::LessThan) && (is_proc(l.x, system) || is_proc(l.y, system));
  };
  const bool ordered = system.source->ordered && std::any_of(cube.literals.begin(), cube.literals.end(), about_order);
  if (ordered && !consistent_order(cube, system)) return false;
  // In normal form, equalities and disequalities with constants have been looked at already.
  const bool bounded = system.source->number_procs != 0;
  const auto open = [&](const Literal& l) {
    if (ordered && (is_proc(l.x, system) || is_proc(l.y, system))) return false;  // has been looked at
    if (l.op == Op::Equal) return bounded && !l.y.is_zero() && !l.y.is_process();
    if (l.op != Op::NotEqual || bounded) return true;
    if (l.y.is_zero() || l.y.is_process()) {
      const auto kind = system.type(symbol_of(l.x)).kind;
      return kind == cubicle::Type::Kind::Int || kind == cubicle::Type::Kind::Real;
    }
    const auto kind = system.type(symbol_of(l.x)).kind;
    return kind != cubicle::Type::Kind::Proc && kind != cubicle::Type::Kind::Abstract;
  };
  if (cube.linear.empty() && std::none_of(cube.literals.begin(), cube.literals.end(), open)) return true;

  thread_local std::vector<Atom> atoms;
  thread_local logic::Conjunction f;
  atoms.clear();
  f.sorts.assign(1, {});
  f.literals.clear();
  f.linear.clear();
  const auto var = [&](Atom a) -> logic::Var {
    for (std::size_t i = 0; i < atoms.size(); ++i)
      if (atoms[i] == a) return static_cast<logic::Var>(i + 1);
    atoms.push_back(a);
    f.sorts.push_back(sort_of(system.type(symbol_of(a)), system));
    return static_cast<logic::Var>(atoms.size());
  };
  for (const Literal& l : cube.literals) {
    if (ordered && (is_proc(l.x, system) || is_proc(l.y, system))) continue;
    logic::Literal out;
    out.op = l.op;
    out.c = l.c;
    const auto side = [&](Atom a, int sign) -> logic::Var {
      if (a.is_zero()) return logic::zero;
      if (a.is_process()) {
        out.c -= sign * static_cast<int>(a.a());
        return logic::zero;
      }
      return var(a);
    };
    out.x = side(l.x, 1);
    out.y = side(l.y, -1);
    f.literals.push_back(out);
  }
  for (const LinearLiteral& l : cube.linear) {
    logic::Linear out;
    out.op = l.op;
    out.c = l.c;
    for (const auto& [a, factor] : l.sum) out.sum.emplace_back(var(a), factor);
    f.linear.push_back(std::move(out));
  }
  // An undecided conjunction counts as consistent: a larger set of states is sound.
  return logic::decide(f) != logic::Answer::Unsatisfiable;
}

}  // namespace heddle::array
