// SPDX-License-Identifier: Apache-2.0
#include "ir/footprint.h"

namespace heddle::ir {

namespace {

void add_variable(const Program& p, std::uint32_t var, ExprId index, WordSet& set) {
  const Variable& v = p.variables[var];
  if (index != no_expr && p.expr(index).op == Op::Const) {
    const auto cell = static_cast<std::uint32_t>(p.expr(index).value);
    if (cell < v.length) set.add(v.base + cell);
    return;  // out of range: the step ends in an error and touches nothing
  }
  for (std::uint32_t i = 0; i < v.length; ++i) set.add(v.base + i);
}

void read(const Program& p, ExprId id, WordSet& set) {
  if (id == no_expr) return;
  const Expr& e = p.expr(id);
  if (e.op == Op::Var || e.op == Op::Index || e.op == Op::Seen) {
    add_variable(p, e.var, e.op == Op::Var ? no_expr : e.left, set);
  } else if (e.op == Op::ChannelLength || e.op == Op::Item) {
    set.add(p.channels[e.var].base);
  } else if (e.op == Op::InState) {
    set.add(p.processes[e.var].control);
  }
  read(p, e.left, set);
  read(p, e.right, set);
}

}  // namespace

WordSet words_read(const Program& p, ExprId e) {
  WordSet set(p.variable_words);
  read(p, e, set);
  return set;
}

Footprint footprint(const Program& p, const Edge& edge) {
  Footprint f{WordSet(p.variable_words), WordSet(p.variable_words), WordSet(p.variable_words)};
  read(p, edge.guard, f.guard_reads);
  for (const ExprId value : edge.values) read(p, value, f.reads);
  for (const auto* list : {&edge.targets, &edge.effects}) {
    for (const Assignment& a : *list) {
      read(p, a.index, f.reads);
      read(p, a.value, f.reads);
      if (a.kind == Assignment::Kind::Store) add_variable(p, a.var, a.index, f.writes);
      else if (a.kind == Assignment::Kind::Enter) f.writes.add(p.processes[a.var].control);
      else if (a.kind == Assignment::Kind::Empty) f.writes.add(p.channels[a.var].base);
    }
  }
  read(p, edge.match, f.guard_reads);
  if (p.holder != none) f.writes.add(p.variables[p.holder].base);
  if (edge.source != edge.target) f.writes.add(p.processes[edge.process].control);
  if (edge.sync != Sync::None && p.channels[edge.channel].capacity != 0) {
    f.reads.add(p.channels[edge.channel].base);
    f.writes.add(p.channels[edge.channel].base);
  }
  return f;
}

std::vector<Footprint> footprints(const Program& p) {
  std::vector<Footprint> all;
  all.reserve(p.edges.size());
  for (const Edge& edge : p.edges) all.push_back(footprint(p, edge));
  return all;
}

}  // namespace heddle::ir
