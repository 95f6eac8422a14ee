// SPDX-License-Identifier: Apache-2.0
#include "lang/cubicle/initial_states.h"

#include <map>
#include <optional>

#include "ir/eval.h"

namespace heddle::cubicle {

namespace {

using ir::ExprId;
using ir::Op;

class Enumeration {
 public:
  Enumeration(const ir::Program& program, const std::vector<OpenCell>& cells, std::size_t limit,
              const std::function<void()>& poll)
      : program_(program), cells_(cells), limit_(limit), poll_(poll) {
    for (std::size_t c = 0; c < cells.size(); ++c) {
      number_[cells[c].cell] = c;
      domain_.push_back(cells[c].domain);
    }
    value_.resize(cells.size());
    watch_.resize(cells.size());
    fixed_.resize(cells.size(), false);
  }

  // Adds the conjuncts one by one; each is watched by the cells it reads.
  void require(ExprId e) {
    const ir::Expr& x = program_.expr(e);
    if (x.op == Op::And) {
      require(x.left);
      require(x.right);
      return;
    }
    if (x.op == Op::Eq)
      for (const auto& [side, other] : {std::pair{x.left, x.right}, std::pair{x.right, x.left}})
        if (program_.expr(other).op == Op::Const)
          if (const auto c = cell(side)) {
            fixed_[*c] = true;
            if (cells_[*c].unbounded) domain_[*c] = {program_.expr(other).value};  // the condition still has to hold
          }
    if (x.op == Op::Const && x.value == 0) impossible_ = true;
    watch(e, e);
  }

  InitialStates run() {
    for (std::size_t c = 0; c < cells_.size(); ++c)
      result_.chosen = result_.chosen || (cells_[c].unbounded && !fixed_[c]);
    if (!impossible_) assign(0);
    return std::move(result_);
  }

 private:
  std::optional<std::size_t> cell(ExprId e) const {
    const ir::Expr& x = program_.expr(e);
    if (x.op != Op::Var && x.op != Op::Index) return std::nullopt;
    const auto index = x.op == Op::Var ? 0U : static_cast<std::uint32_t>(program_.expr(x.left).value);
    return number_.at({x.var, index});
  }

  void watch(ExprId e, ExprId condition) {
    if (e == ir::no_expr) return;
    if (const auto c = cell(e)) {
      if (watch_[*c].empty() || watch_[*c].back() != condition) watch_[*c].push_back(condition);
      return;
    }
    watch(program_.expr(e).left, condition);
    watch(program_.expr(e).right, condition);
  }

  // Nothing where it depends on a cell that has no value yet.
  std::optional<std::int32_t> value(ExprId e) const {
    const ir::Expr& x = program_.expr(e);
    if (x.op == Op::Const) return x.value;
    if (const auto c = cell(e)) return value_[*c];
    const auto left = value(x.left);
    if (x.op == Op::Not) return left ? std::optional<std::int32_t>(*left == 0) : std::nullopt;
    const auto right = value(x.right);
    if (x.op == Op::And || x.op == Op::Or) {
      const bool decides = x.op == Op::Or;
      if ((left && (*left != 0) == decides) || (right && (*right != 0) == decides)) return decides;
      return left && right ? std::optional<std::int32_t>(!decides) : std::nullopt;
    }
    return left && right ? std::optional(ir::apply(x.op, *left, *right)) : std::nullopt;
  }

  void assign(std::size_t c) {
    if (result_.too_many) return;
    poll_();
    if (c == cells_.size()) {
      if (result_.states.size() == limit_) {
        result_.too_many = true;
        return;
      }
      auto& state = result_.states.emplace_back();
      for (const auto& v : value_) state.push_back(*v);
      return;
    }
    for (const std::int32_t v : domain_[c]) {
      value_[c] = v;
      bool possible = true;
      for (const ExprId e : watch_[c])
        if (const auto truth = value(e); truth && *truth == 0) {
          possible = false;
          break;
        }
      if (possible) assign(c + 1);
    }
    value_[c].reset();
  }

  const ir::Program& program_;
  const std::vector<OpenCell>& cells_;
  const std::size_t limit_;
  const std::function<void()>& poll_;
  std::map<Cell, std::size_t> number_;
  std::vector<std::vector<std::int32_t>> domain_;
  std::vector<std::optional<std::int32_t>> value_;
  std::vector<std::vector<ExprId>> watch_;
  std::vector<bool> fixed_;
  bool impossible_ = false;
  InitialStates result_;
};

}  // namespace

InitialStates initial_states(const ir::Program& program, const std::vector<OpenCell>& cells,
                             const std::vector<ExprId>& conditions, std::size_t limit,
                             const std::function<void()>& poll) {
  Enumeration enumeration(program, cells, limit, poll);
  for (const ExprId e : conditions) enumeration.require(e);
  return enumeration.run();
}

}  // namespace heddle::cubicle
