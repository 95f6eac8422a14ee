// SPDX-License-Identifier: Apache-2.0
#include "ltl/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace heddle::ltl {

Formulas::Formulas() {
  intern({.op = Op::False, .eventual = true, .universal = true});
  intern({.op = Op::True, .eventual = true, .universal = true});
}

Formula Formulas::intern(Node node) {
  const auto [at, fresh] = index_.try_emplace(node.key(), static_cast<Formula>(nodes_.size()));
  if (fresh) nodes_.push_back(std::move(node));
  return at->second;
}

Formula Formulas::literal(std::uint32_t atom, bool positive) {
  return intern({.op = Op::Literal, .positive = positive, .atom = atom});
}

// Implication --------------------------------------------------------------------------------------------------------

bool Formulas::implied_by_operands(const Node& a, Formula fa, const Node& b, Formula fb) {
  if (a.op == Op::Or) return std::ranges::all_of(a.operands, [&](Formula x) { return implies(x, fb); });
  if (b.op == Op::And) return std::ranges::all_of(b.operands, [&](Formula y) { return implies(fa, y); });
  if (a.op == Op::And && std::ranges::any_of(a.operands, [&](Formula x) { return implies(x, fb); })) return true;
  if (b.op == Op::Or && std::ranges::any_of(b.operands, [&](Formula y) { return implies(fa, y); })) return true;
  if (b.op == Op::Until && implies(fa, b.operands[1])) return true;
  if (a.op == Op::Release && implies(a.operands[1], fb)) return true;
  if (a.op == Op::Until && implies(a.operands[0], fb) && implies(a.operands[1], fb)) return true;
  if (b.op == Op::Release && implies(fa, b.operands[0]) && implies(fa, b.operands[1])) return true;
  if (a.op == b.op && (a.op == Op::Until || a.op == Op::Release) && implies(a.operands[0], b.operands[0]) &&
      implies(a.operands[1], b.operands[1]))
    return true;
  // x U y ⊢ u R v needs x, y ⊢ v, and y ⊢ u ends the wait of R.
  if (a.op == Op::Until && b.op == Op::Release && implies(a.operands[1], fb) && implies(a.operands[0], b.operands[1]))
    return true;
  if (a.op == Op::Next && b.op == Op::Next) return implies(a.operands[0], b.operands[0]);
  if (b.op == Op::Next && a.universal) return implies(fa, b.operands[0]);
  if (a.op == Op::Next && b.eventual) return implies(a.operands[0], fb);
  return false;
}

bool Formulas::implies(Formula a, Formula b) {
  if (a == b || a == bottom || b == top) return true;
  if (a == top || b == bottom) return false;
  const std::uint64_t key = std::uint64_t{a} << 32 | b;
  if (const auto known = implied_.find(key); known != implied_.end()) return known->second;
  // Copies: the table may grow.
  const Node na = nodes_[a], nb = nodes_[b];
  const bool result = implied_by_operands(na, a, nb, b);
  implied_.emplace(key, result);
  return result;
}

Formula Formulas::negation(Formula f) {
  if (const auto known = negated_.find(f); known != negated_.end()) return known->second;
  const Node n = nodes_[f];
  std::vector<Formula> operands;
  for (const Formula g : n.operands) operands.push_back(negation(g));
  Formula result = bottom;
  switch (n.op) {
    case Op::False: result = top; break;
    case Op::True: result = bottom; break;
    case Op::Literal: result = literal(n.atom, !n.positive); break;
    case Op::And: result = disjunction(std::move(operands)); break;
    case Op::Or: result = conjunction(std::move(operands)); break;
    case Op::Next: result = next(operands[0]); break;
    case Op::Until: result = release(operands[0], operands[1]); break;
    case Op::Release: result = until(operands[0], operands[1]); break;
  }
  negated_[f] = result;
  negated_[result] = f;
  return result;
}

// Conjunction and disjunction -----------------------------------------------------------------------------------------
// Each law is stated for ∧; the one for ∨ is its dual.

// Drops what the others imply. True: two of them contradict each other.
bool Formulas::absorb(Op op, std::vector<Formula>& fs) {
  const auto stronger = [&](Formula a, Formula b) { return op == Op::And ? implies(a, b) : implies(b, a); };
  for (std::size_t i = 0; i < fs.size(); ++i)
    for (std::size_t j = 0; j < fs.size(); ++j) {
      if (i == j) continue;
      if (op == Op::And ? implies(fs[i], negation(fs[j])) : implies(negation(fs[i]), fs[j])) return true;
      if (!stronger(fs[i], fs[j])) continue;
      fs.erase(fs.begin() + static_cast<std::ptrdiff_t>(j));
      if (j < i) --i;
      --j;
    }
  return false;
}

// X a ∧ X b = X(a ∧ b);  (a U c) ∧ (b U c) = (a ∧ b) U c;  (a R b) ∧ (a R c) = a R (b ∧ c), G among them;
// FG a ∧ FG b = FG(a ∧ b);  (a R b) ∧ (c U a)-like products are left to the translation.
bool Formulas::merge_pair(Op op, Formula f, Formula g, Formula& merged) {
  const Node a = nodes_[f], b = nodes_[g];
  const auto join = [&](Formula x, Formula y) { return junction(op, {x, y}); };
  if (a.op != b.op) return false;
  if (a.op == Op::Next) {
    merged = next(join(a.operands[0], b.operands[0]));
    return true;
  }
  const Op left = op == Op::And ? Op::Until : Op::Release, right = op == Op::And ? Op::Release : Op::Until;
  if (a.op == left && a.operands[1] == b.operands[1]) {
    const Formula both = join(a.operands[0], b.operands[0]);
    merged = left == Op::Until ? until(both, a.operands[1]) : release(both, a.operands[1]);
    return true;
  }
  if (a.op == right && a.operands[0] == b.operands[0]) {
    const Formula both = join(a.operands[1], b.operands[1]);
    merged = right == Op::Until ? until(a.operands[0], both) : release(a.operands[0], both);
    return true;
  }
  // FG a ∧ FG b, GF a ∨ GF b
  const bool outer = op == Op::And ? is_finally(f) && is_finally(g) : is_globally(f) && is_globally(g);
  const Formula x = outer ? a.operands[1] : top, y = outer ? b.operands[1] : top;
  const bool inner = outer && (op == Op::And ? is_globally(x) && is_globally(y) : is_finally(x) && is_finally(y));
  if (!inner) return false;
  const Formula both = join(nodes_[x].operands[1], nodes_[y].operands[1]);
  merged = op == Op::And ? finally(globally(both)) : globally(finally(both));
  return true;
}

void Formulas::merge_operands(Op op, std::vector<Formula>& fs) {
  for (std::size_t i = 0; i < fs.size(); ++i)
    for (std::size_t j = i + 1; j < fs.size(); ++j) {
      Formula merged = top;
      if (!merge_pair(op, fs[i], fs[j], merged)) continue;
      fs.erase(fs.begin() + static_cast<std::ptrdiff_t>(j));
      fs[i] = merged;
      j = i;
    }
}

Formula Formulas::junction(Op op, std::vector<Formula> given) {
  const Formula neutral = op == Op::And ? top : bottom, zero = op == Op::And ? bottom : top;
  std::vector<Formula> fs;
  const auto flatten = [&] {
    for (const Formula f : given) {
      if (nodes_[f].op == op) fs.insert(fs.end(), nodes_[f].operands.begin(), nodes_[f].operands.end());
      else if (f != neutral) fs.push_back(f);
    }
    std::ranges::sort(fs);
    fs.erase(std::unique(fs.begin(), fs.end()), fs.end());
  };
  for (;;) {
    fs.clear();
    flatten();
    if (std::ranges::find(fs, zero) != fs.end() || absorb(op, fs)) return zero;
    given = fs;
    merge_operands(op, given);
    if (given == fs) break;
  }
  if (fs.empty()) return neutral;
  if (fs.size() == 1) return fs[0];
  Node node{.op = op, .operands = fs};
  node.eventual = std::ranges::all_of(fs, [&](Formula f) { return nodes_[f].eventual; });
  node.universal = std::ranges::all_of(fs, [&](Formula f) { return nodes_[f].universal; });
  return intern(std::move(node));
}

Formula Formulas::conjunction(std::vector<Formula> fs) { return junction(Op::And, std::move(fs)); }
Formula Formulas::disjunction(std::vector<Formula> fs) { return junction(Op::Or, std::move(fs)); }

// Temporal operators -------------------------------------------------------------------------------------------------

// Of a conjunction or disjunction: the suspendable operands, and the rest of them in `rest`. `top` or `bottom` if none.
Formula Formulas::split_suspendable(Op op, Formula operand, Formula& rest) {
  rest = operand;
  const Formula none = op == Op::And ? top : bottom;
  const Node n = nodes_[operand];
  if (n.op != op) return none;
  std::vector<Formula> kept, taken;
  for (const Formula f : n.operands) (suspendable(f) ? taken : kept).push_back(f);
  if (taken.empty() || kept.empty()) return none;
  rest = junction(op, std::move(kept));
  return junction(op, std::move(taken));
}

Formula Formulas::next(Formula f) {
  if (f == top || f == bottom || suspendable(f)) return f;
  for (const Op op : {Op::And, Op::Or}) {
    Formula rest = f;
    const Formula q = split_suspendable(op, f, rest);
    if (rest != f) return junction(op, {next(rest), q});
  }
  return intern({.op = Op::Next, .operands = {f}, .eventual = nodes_[f].eventual, .universal = nodes_[f].universal});
}

Formula Formulas::until(Formula a, Formula b) {
  if (a == bottom || b == top || b == bottom || nodes_[b].eventual || implies(a, b)) return b;
  const Node nb = nodes_[b];
  if (a != top && (implies(negation(a), b) || implies(negation(b), a))) return finally(b);  // a or b at every place
  if (nodes_[a].op == Op::Next && nb.op == Op::Next) return next(until(nodes_[a].operands[0], nb.operands[0]));
  if (nb.op == Op::Until && implies(a, nb.operands[0])) return b;  // a U (c U b), a ⊢ c
  // (c U b) U b = c U b
  if (nodes_[a].op == Op::Until && nodes_[a].operands[1] == b) return a;
  if (a == top) {
    if (nb.op == Op::Next) return next(finally(nb.operands[0]));
    if (nb.op == Op::Until) return finally(nb.operands[1]);  // F(a U b) = F b
    if (nb.op == Op::Or) {                                   // one promise for each disjunct that has its own
      Formula rest = b;
      if (const Formula q = split_suspendable(Op::Or, b, rest); rest != b) return disjunction({finally(rest), q});
      std::vector<Formula> eventual, others;
      for (const Formula f : nb.operands) (nodes_[f].eventual ? eventual : others).push_back(f);
      if (!eventual.empty()) return disjunction({disjunction(std::move(eventual)), finally(disjunction(others))});
    }
    Formula rest = b;
    if (const Formula q = split_suspendable(Op::And, b, rest); rest != b) return conjunction({finally(rest), q});
  } else if (nb.op == Op::Or) {
    // a U (b ∨ q) = (a U b) ∨ q for eventual q
    std::vector<Formula> eventual, others;
    for (const Formula f : nb.operands) (nodes_[f].eventual ? eventual : others).push_back(f);
    if (!eventual.empty()) return disjunction({until(a, disjunction(std::move(others))), disjunction(eventual)});
  }
  Node node{.op = Op::Until, .operands = {a, b}};
  node.eventual = a == top;
  node.universal = nb.universal;  // past its witness by b, before it by itself
  return intern(std::move(node));
}

Formula Formulas::release(Formula a, Formula b) {
  // The dual of until, through negation: one set of laws.
  const Formula na = negation(a), nb = negation(b);
  const Formula u = until(na, nb);
  if (nodes_[u].op != Op::Until || nodes_[u].operands[0] != na || nodes_[u].operands[1] != nb) return negation(u);
  Node node{.op = Op::Release, .operands = {a, b}};
  node.universal = a == bottom;
  node.eventual = nodes_[b].eventual;
  const Formula result = intern(std::move(node));
  negated_[u] = result;
  negated_[result] = u;
  return result;
}

Formula Formulas::from(const Sentence& s, std::uint32_t node, bool positive) {
  const SyntaxNode& n = s.nodes[node];
  const auto left = [&](bool p) { return from(s, n.left, p); };
  const auto right = [&](bool p) { return from(s, n.right, p); };
  switch (n.op) {
    case Operator::True: return positive ? top : bottom;
    case Operator::False: return positive ? bottom : top;
    case Operator::Atom: return literal(n.left, positive);
    case Operator::Not: return left(!positive);
    case Operator::Next: return next(left(positive));
    case Operator::Finally: return positive ? finally(left(true)) : globally(left(false));
    case Operator::Globally: return positive ? globally(left(true)) : finally(left(false));
    case Operator::And:
      return positive ? conjunction({left(true), right(true)}) : disjunction({left(false), right(false)});
    case Operator::Or:
      return positive ? disjunction({left(true), right(true)}) : conjunction({left(false), right(false)});
    case Operator::Implies:
      return positive ? disjunction({left(false), right(true)}) : conjunction({left(true), right(false)});
    case Operator::Iff:
      return disjunction({conjunction({left(true), right(positive)}), conjunction({left(false), right(!positive)})});
    case Operator::Until: return positive ? until(left(true), right(true)) : release(left(false), right(false));
    case Operator::Release: return positive ? release(left(true), right(true)) : until(left(false), right(false));
    // a W b = b R (a ∨ b);  a M b = b U (a ∧ b)
    case Operator::WeakUntil:
      return positive ? release(right(true), disjunction({left(true), right(true)}))
                      : until(right(false), conjunction({left(false), right(false)}));
    case Operator::StrongRelease:
      return positive ? until(right(true), conjunction({left(true), right(true)}))
                      : release(right(false), disjunction({left(false), right(false)}));
  }
  return bottom;
}

std::string Formulas::text(Formula f, const std::vector<Atom>& atoms) const {
  const Node& n = nodes_[f];
  const auto operand = [&](std::size_t i) { return text(n.operands[i], atoms); };
  const auto list = [&](const char* op) {
    std::string s = "(" + operand(0);
    for (std::size_t i = 1; i < n.operands.size(); ++i) s += fmt::format(" {} {}", op, operand(i));
    return s + ")";
  };
  switch (n.op) {
    case Op::False: return "false";
    case Op::True: return "true";
    case Op::Literal: return (n.positive ? "" : "!") + atoms[n.atom].text;
    case Op::And: return list("&&");
    case Op::Or: return list("||");
    case Op::Next: return "X " + operand(0);
    case Op::Until: return is_finally(f) ? "F " + operand(1) : list("U");
    case Op::Release: return is_globally(f) ? "G " + operand(1) : list("R");
  }
  return {};
}

}  // namespace heddle::ltl
