// The built-in procedure. Hot: every cube of the parameterised search passes through here (bench/param_bench.cpp), so
// its tables are kept per thread and only grow.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <limits>
#include <optional>
#include <span>

#include "logic/conjunction.h"
#include "support/diagnostics.h"

namespace heddle::logic {

namespace {

constexpr std::int64_t infinite = std::numeric_limits<std::int64_t>::max() / 4;
constexpr unsigned max_splits = 2000;

struct Bound {
  std::int64_t c = infinite;  // x - y <= c, or < c if strict
  bool strict = false;
  bool none() const { return c == infinite; }
  friend bool tighter(const Bound& a, const Bound& b) { return a.c < b.c || (a.c == b.c && a.strict && !b.strict); }
};

Bound operator+(const Bound& a, const Bound& b) {
  if (a.none() || b.none()) return {};
  return {a.c + b.c, a.strict || b.strict};
}

class Decider {
 public:
  Answer run(const Conjunction& f) {
    if (!equalities(f)) return Answer::Unsatisfiable;
    const Answer numbers = differences(f);
    if (numbers != Answer::Satisfiable) return numbers;
    return f.linear.empty() ? Answer::Satisfiable : Answer::Unknown;
  }

 private:
  static bool discrete(const Sort& s) { return s.kind == Sort::Kind::Finite || s.kind == Sort::Kind::Infinite; }

  std::uint32_t find(std::uint32_t x) {
    while (parent_[x] != x) x = parent_[x] = parent_[parent_[x]];
    return x;
  }

  bool assign(std::uint32_t r, std::int64_t c) {
    if (has_value_[r]) return value_[r] == c;
    has_value_[r] = true;
    value_[r] = c;
    return true;
  }

  // Enumerations and infinite sorts. Finite ones end in a search for a colouring, which is nearly always immediate.
  bool equalities(const Conjunction& f) {
    const std::size_t n = f.sorts.size();
    parent_.resize(n);
    value_.assign(n, 0);
    has_value_.assign(n, false);
    for (std::uint32_t i = 0; i < n; ++i) parent_[i] = i;
    const auto is_discrete = [&](const Literal& l) {
      return (l.x != zero && discrete(f.sorts[l.x])) || (l.y != zero && discrete(f.sorts[l.y]));
    };
    for (const Literal& l : f.literals) {
      if (l.op != Op::Equal || !is_discrete(l)) continue;
      if (l.x == zero || l.y == zero) {
        if (!assign(find(l.x == zero ? l.y : l.x), l.x == zero ? -l.c : l.c)) return false;
        continue;
      }
      const std::uint32_t a = find(l.x), b = find(l.y);
      if (a == b) continue;
      parent_[a] = b;
      if (has_value_[a] && !assign(b, value_[a])) return false;
    }
    domain_.assign(n, ~std::uint64_t{0});
    for (std::uint32_t i = 1; i < n; ++i) {
      if (f.sorts[i].kind != Sort::Kind::Finite) continue;
      const std::uint32_t r = find(i);
      const unsigned k = f.sorts[i].values;
      domain_[r] &= k >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << k) - 1;
      if (has_value_[r]) {
        if (value_[r] < 0 || value_[r] >= k) return false;
        domain_[r] &= std::uint64_t{1} << value_[r];
      }
      if (domain_[r] == 0) return false;
    }
    edges_.clear();
    for (const Literal& l : f.literals) {
      if (l.op != Op::NotEqual || !is_discrete(l)) continue;
      if (l.x == zero || l.y == zero) {
        const Var v = l.x == zero ? l.y : l.x;
        const std::int64_t c = l.x == zero ? -l.c : l.c;
        const std::uint32_t r = find(v);
        if (has_value_[r]) {
          if (value_[r] == c) return false;
        } else if (f.sorts[v].kind == Sort::Kind::Finite && c >= 0 && c < 64) {
          domain_[r] &= ~(std::uint64_t{1} << c);
          if (domain_[r] == 0) return false;
        }
        continue;
      }
      const std::uint32_t a = find(l.x), b = find(l.y);
      if (a == b) return false;
      if (has_value_[a] && has_value_[b]) {
        if (value_[a] == value_[b]) return false;
      } else if (f.sorts[l.x].kind == Sort::Kind::Finite) {
        edges_.emplace_back(a, b);
      }
    }
    return edges_.empty() || colour();
  }

  bool colour() {
    std::uint32_t best = 0;
    int fewest = 65;
    for (const auto& [a, b] : edges_)
      for (const std::uint32_t v : {a, b}) {
        const int size = std::popcount(domain_[v]);
        if (size == 0) return false;
        if (size > 1 && size < fewest) {
          fewest = size;
          best = v;
        }
      }
    // Propagates single values; where no variable is open any more, only conflicts are left to look for.
    for (bool changed = true; changed;) {
      changed = false;
      for (const auto& [a, b] : edges_)
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
          if (std::has_single_bit(domain_[from]) && (domain_[to] & domain_[from]) != 0) {
            domain_[to] &= ~domain_[from];
            if (domain_[to] == 0) return false;
            changed = true;
            if (to == best) fewest = 65;
          }
    }
    if (fewest == 65) {
      const bool open = std::any_of(edges_.begin(), edges_.end(), [&](const auto& e) {
        return !std::has_single_bit(domain_[e.first]) || !std::has_single_bit(domain_[e.second]);
      });
      return open ? colour() : true;
    }
    const std::vector<std::uint64_t> saved = domain_;
    for (std::uint64_t rest = saved[best]; rest != 0; rest &= rest - 1) {
      domain_ = saved;
      domain_[best] = rest & -rest;
      if (colour()) return true;
    }
    return false;
  }

  // Numbers: all bounds x - y <= c closed under addition, then disequalities by splitting.
  Answer differences(const Conjunction& f) {
    index_.assign(f.sorts.size(), none);
    index_[zero] = 0;
    numbers_ = 1;
    const auto number = [&](const Literal& l) {
      const Var v = l.x != zero ? l.x : l.y;
      return v != zero && !discrete(f.sorts[v]);
    };
    integral_.assign(1, true);
    for (const Literal& l : f.literals) {
      if (l.x == zero && l.y == zero) {
        if (!holds(l.op, l.c)) return Answer::Unsatisfiable;
        continue;
      }
      if (!number(l)) continue;
      for (const Var v : {l.x, l.y})
        if (index_[v] == none) {
          index_[v] = numbers_++;
          integral_.push_back(f.sorts[v].kind == Sort::Kind::Int);
        }
    }
    if (numbers_ == 1) return Answer::Satisfiable;
    bounds_.assign(numbers_ * numbers_, Bound{});
    for (std::size_t i = 0; i < numbers_; ++i) bounds_[i * numbers_ + i] = {0, false};
    unequal_.clear();
    for (const Literal& l : f.literals) {
      if ((l.x == zero && l.y == zero) || !number(l)) continue;
      const std::size_t x = index_[l.x], y = index_[l.y];
      switch (l.op) {
        case Op::Equal:
          lower(x, y, {l.c, false});
          lower(y, x, {-l.c, false});
          break;
        case Op::LessEqual: lower(x, y, {l.c, false}); break;
        case Op::LessThan: lower(x, y, {l.c, true}); break;
        case Op::NotEqual:
          if (x == y) {
            if (l.c == 0) return Answer::Unsatisfiable;
          } else {
            unequal_.push_back({x, y, l.c});
          }
          break;
      }
    }
    if (!close()) return Answer::Unsatisfiable;
    splits_ = 0;
    return split(0);
  }

  static bool holds(Op op, std::int64_t c) {
    switch (op) {
      case Op::Equal: return c == 0;
      case Op::NotEqual: return c != 0;
      case Op::LessEqual: return 0 <= c;
      case Op::LessThan: return 0 < c;
    }
    return false;
  }

  void lower(std::size_t x, std::size_t y, Bound b) {
    if (b.strict && integral_[x] && integral_[y]) b = {b.c - 1, false};
    Bound& old = bounds_[x * numbers_ + y];
    if (tighter(b, old)) old = b;
  }

  bool close() {
    for (std::size_t k = 0; k < numbers_; ++k)
      for (std::size_t i = 0; i < numbers_; ++i) {
        const Bound ik = bounds_[i * numbers_ + k];
        if (ik.none()) continue;
        for (std::size_t j = 0; j < numbers_; ++j) {
          const Bound sum = ik + bounds_[k * numbers_ + j];
          if (tighter(sum, bounds_[i * numbers_ + j])) bounds_[i * numbers_ + j] = sum;
        }
      }
    for (std::size_t i = 0; i < numbers_; ++i)
      if (tighter(bounds_[i * numbers_ + i], Bound{0, false})) return false;
    return true;
  }

  // A disequality outside its bounds holds; one that the bounds force fails; over reals everything else can be had at
  // once; over integers both sides are tried.
  Answer split(std::size_t from) {
    for (std::size_t i = from; i < unequal_.size(); ++i) {
      const Unequal u = unequal_[i];
      const Bound above = bounds_[u.x * numbers_ + u.y], below = bounds_[u.y * numbers_ + u.x];
      const bool over = !above.none() && (above.c < u.c || (above.c == u.c && above.strict));
      const bool under = !below.none() && (-below.c > u.c || (-below.c == u.c && below.strict));
      if (over || under) continue;
      if (above.c == u.c && !below.none() && -below.c == u.c) return Answer::Unsatisfiable;
      if (!integral_[u.x] || !integral_[u.y]) continue;
      if (above.none() && below.none() && unconstrained(u)) continue;
      if (++splits_ > max_splits) return Answer::Unknown;
      const std::vector<Bound> saved = bounds_;
      Answer result = Answer::Unsatisfiable;
      for (const bool less : {true, false}) {
        bounds_ = saved;
        if (less) lower(u.x, u.y, {u.c - 1, false});
        else lower(u.y, u.x, {-u.c - 1, false});
        if (!close()) continue;
        const Answer part = split(i + 1);
        if (part == Answer::Satisfiable) return part;
        if (part == Answer::Unknown) result = part;
      }
      return result;
    }
    return Answer::Satisfiable;
  }

  struct Unequal {
    std::size_t x, y;
    std::int64_t c;
  };

  // Neither side is bounded against anything: a value far away satisfies all its disequalities at once.
  bool unconstrained(const Unequal& u) const {
    const auto free = [&](std::size_t v) {
      if (v == 0) return false;
      for (std::size_t j = 0; j < numbers_; ++j)
        if (j != v && (!bounds_[v * numbers_ + j].none() || !bounds_[j * numbers_ + v].none())) return false;
      return true;
    };
    return free(u.x) || free(u.y);
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  std::vector<std::uint32_t> parent_;
  std::vector<std::int64_t> value_;
  std::vector<bool> has_value_;
  std::vector<std::uint64_t> domain_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  std::vector<std::size_t> index_;
  std::vector<bool> integral_;
  std::size_t numbers_ = 0;
  std::vector<Bound> bounds_;
  std::vector<Unequal> unequal_;
  unsigned splits_ = 0;
};

}  // namespace

Answer decide_builtin(const Conjunction& f) {
  thread_local Decider decider;
  return decider.run(f);
}

Answer decide(const Conjunction& f) {
  const Answer quick = decide_builtin(f);
  return quick == Answer::Unknown ? decide_z3(f) : quick;
}

}  // namespace heddle::logic
