// SPDX-License-Identifier: Apache-2.0
#include "buffers/regular.h"

#include <algorithm>
#include <map>
#include <vector>

namespace heddle::buffers {
namespace {

// An expression, and how tightly it binds.
struct Expression {
  enum class Kind : std::uint8_t { Empty, Single, Sequence, Choice } kind = Kind::Empty;
  std::string text;
};

std::string grouped(const Expression& e) { return e.kind == Expression::Kind::Single ? e.text : "(" + e.text + ")"; }
std::string part(const Expression& e) { return e.kind == Expression::Kind::Choice ? "(" + e.text + ")" : e.text; }

Expression joined(const Expression& a, const Expression& b) {
  if (a.kind == Expression::Kind::Empty) return b;
  if (b.kind == Expression::Kind::Empty) return a;
  return {Expression::Kind::Sequence, part(a) + part(b)};
}

Expression either(const Expression& a, const Expression& b) {
  if (a.text == b.text && a.kind == b.kind) return a;
  const auto name = [](const Expression& e) { return e.kind == Expression::Kind::Empty ? "nothing" : e.text; };
  return {Expression::Kind::Choice, name(a) + " | " + name(b)};
}

Expression repeated(const Expression& e) {
  if (e.kind == Expression::Kind::Empty) return e;
  return {Expression::Kind::Single, grouped(e) + "*"};
}

class Elimination {
 public:
  Elimination(const Dfa& d, const std::function<std::string(Symbol)>& show) : start_(d.size()), end_(d.size() + 1) {
    for (std::uint32_t q = 0; q < d.size(); ++q) {
      left_.push_back(q);
      for (const Arc& arc : d.of(q)) add(q, arc.target, {Expression::Kind::Single, show(arc.symbol)});
      if (d.accepting[q]) add(q, end_, {});
    }
    add(start_, 0, {});
  }

  std::string run() {
    while (!left_.empty()) {
      const auto next = std::ranges::min_element(left_, {}, [this](std::uint32_t q) { return weight(q); });
      const std::uint32_t q = *next;
      left_.erase(next);
      eliminate(q);
    }
    const Expression& whole = arcs_.at({start_, end_});
    return whole.kind == Expression::Kind::Empty ? "nothing" : whole.text;
  }

 private:
  void add(std::uint32_t from, std::uint32_t to, const Expression& e) {
    const auto [at, fresh] = arcs_.try_emplace({from, to}, e);
    if (!fresh) at->second = either(at->second, e);
  }

  // Ways through a state: those with fewer make shorter expressions.
  std::size_t weight(std::uint32_t q) const {
    std::size_t in = 0, out = 0;
    for (const auto& [way, e] : arcs_) {
      in += way.second == q && way.first != q;
      out += way.first == q && way.second != q;
    }
    return in * out;
  }

  void eliminate(std::uint32_t q) {
    std::vector<std::pair<std::uint32_t, Expression>> in, out;
    Expression loop;
    for (auto at = arcs_.begin(); at != arcs_.end();) {
      const auto [from, to] = at->first;
      if (from != q && to != q) {
        ++at;
        continue;
      }
      if (from == to) loop = repeated(at->second);
      else if (to == q) in.emplace_back(from, at->second);
      else out.emplace_back(to, at->second);
      at = arcs_.erase(at);
    }
    for (const auto& [from, a] : in)
      for (const auto& [to, b] : out) add(from, to, joined(joined(a, loop), b));
  }

  const std::uint32_t start_, end_;
  std::vector<std::uint32_t> left_;  // states that are still there
  std::map<std::pair<std::uint32_t, std::uint32_t>, Expression> arcs_;
};

}  // namespace

std::string regular_expression(const Dfa& d, const std::function<std::string(Symbol)>& show) {
  return Elimination(d, show).run();
}

}  // namespace heddle::buffers
