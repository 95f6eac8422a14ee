// SPDX-License-Identifier: Apache-2.0
#include "ir/build.h"

#include <algorithm>

#include "ir/eval.h"

namespace heddle::ir {

namespace {

ExprId add(Program& p, Expr e) {
  if (e.left != no_expr) e.depth = std::max(e.depth, p.exprs[e.left].depth + 1);
  if (e.right != no_expr) e.depth = std::max(e.depth, p.exprs[e.right].depth + 1);
  p.exprs.push_back(e);
  return static_cast<ExprId>(p.exprs.size() - 1);
}

Expr node(Op op, ExprId left, ExprId right, core::Site site) {
  Expr e;
  e.op = op;
  e.left = left;
  e.right = right;
  e.site = site;
  return e;
}

}  // namespace

ExprId make_const(Program& p, std::int32_t value) {
  Expr e;
  e.value = value;
  return add(p, e);
}

ExprId make_var(Program& p, std::uint32_t var) {
  Expr e;
  e.op = Op::Var;
  e.var = var;
  return add(p, e);
}

ExprId make_index(Program& p, std::uint32_t var, ExprId index, core::Site site) {
  Expr e = node(Op::Index, index, no_expr, site);
  e.var = var;
  return add(p, e);
}

ExprId make_in_state(Program& p, std::uint32_t process, std::uint32_t state) {
  Expr e;
  e.op = Op::InState;
  e.var = process;
  e.value = static_cast<std::int32_t>(state);
  return add(p, e);
}

ExprId make_seen(Program& p, std::uint32_t process, std::uint32_t var, ExprId index) {
  Expr e = node(Op::Seen, index, no_expr, core::no_site);
  e.var = var;
  e.value = static_cast<std::int32_t>(process);
  return add(p, e);
}

ExprId make_cond(Program& p, ExprId condition, ExprId then, ExprId otherwise) {
  if (p.expr(condition).op == Op::Const) return p.expr(condition).value != 0 ? then : otherwise;
  const ExprId pair = add(p, node(Op::Pair, then, otherwise, core::no_site));
  return add(p, node(Op::Cond, condition, pair, core::no_site));
}

ExprId make_channel_length(Program& p, std::uint32_t channel) {
  Expr e;
  e.op = Op::ChannelLength;
  e.var = channel;
  return add(p, e);
}

ExprId make_item(Program& p, std::uint32_t channel, std::uint32_t item) {
  Expr e;
  e.op = Op::Item;
  e.var = channel;
  e.value = static_cast<std::int32_t>(item);
  return add(p, e);
}

ExprId make_message(Program& p, std::uint32_t item) {
  Expr e;
  e.op = Op::Message;
  e.value = static_cast<std::int32_t>(item);
  return add(p, e);
}

ExprId make_unary(Program& p, Op op, ExprId left) {
  if (const Expr& l = p.exprs[left]; l.op == Op::Const) {
    const std::int32_t v = l.value;
    if (op == Op::Neg) return make_const(p, apply(Op::Sub, 0, v));
    return make_const(p, op == Op::Not ? v == 0 : ~v);
  }
  return add(p, node(op, left, no_expr, core::no_site));
}

ExprId make_binary(Program& p, Op op, ExprId left, ExprId right, core::Site site) {
  const Expr l = p.exprs[left], r = p.exprs[right];
  if (op == Op::And || op == Op::Or || op == Op::Imply) {
    if (l.op == Op::Const) {
      const bool decided = (l.value != 0) == (op == Op::Or);
      if (decided) return make_const(p, op != Op::And);
      if (r.op == Op::Const) return make_const(p, r.value != 0);
    }
  } else if (l.op == Op::Const && r.op == Op::Const && !((op == Op::Div || op == Op::Mod) && r.value == 0)) {
    return make_const(p, apply(op, l.value, r.value));
  }
  const bool can_fail = op == Op::Div || op == Op::Mod;
  return add(p, node(op, left, right, can_fail ? site : core::no_site));
}

core::Site add_site(Program& p, core::SourcePlace place) {
  p.sites.push_back(std::move(place));
  return static_cast<core::Site>(p.sites.size() - 1);
}

}  // namespace heddle::ir
