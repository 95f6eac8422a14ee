// SPDX-License-Identifier: Apache-2.0
#include "array/cube.h"

#include <algorithm>
#include <bit>

namespace heddle::array {

Atom rename(Atom atom, const Renaming& r) {
  const auto of = [&](Process p) { return p == no_process ? no_process : r.process[p]; };
  switch (atom.kind()) {
    case Atom::Kind::Cell: return Atom::cell(atom.symbol(), of(atom.a()), of(atom.b()));
    case Atom::Kind::Read:
      return Atom::read(atom.symbol(), of(atom.a()), of(atom.b()), r.node[atom.node()], of(atom.reader()));
    case Atom::Kind::Promise: return Atom::promise(atom.symbol(), of(atom.a()), of(atom.b()), atom.node());
    case Atom::Kind::Special: return atom.is_process() ? Atom::process(of(atom.a())) : atom;
  }
  return atom;
}

Row rename(Row row, const Renaming& r) {
  Row result = 0;
  for (; row != 0; row &= row - 1) {
    const auto to = r.node[static_cast<std::size_t>(std::countr_zero(row))];
    if (to < 32) result |= Row{1} << to;
  }
  return result;
}

void sort_literals(Cube& cube) {
  for (Literal& l : cube.literals)
    if ((l.op == logic::Op::Equal || l.op == logic::Op::NotEqual) && l.y < l.x) {
      std::swap(l.x, l.y);
      l.c = -l.c;
    }
  std::sort(cube.literals.begin(), cube.literals.end());
  for (LinearLiteral& l : cube.linear) {
    std::sort(l.sum.begin(), l.sum.end());
    if ((l.op == logic::Op::Equal || l.op == logic::Op::NotEqual) && l.sum.front().second < 0) {
      for (auto& [a, f] : l.sum) f = -f;
      l.c = -l.c;
    }
  }
  std::sort(cube.linear.begin(), cube.linear.end());
  std::sort(cube.cell_rows.begin(), cube.cell_rows.end());
}

std::optional<bool> precedes(Process p, Process q, const System& system) {
  if (p >= system.named() && q >= system.named()) return std::nullopt;
  return p < q;  // named processes have the least numbers
}

bool order_follows(const std::vector<Literal>& literals, const Literal& l) {
  const auto bound = [](const Literal& o) {
    return (o.op == logic::Op::LessEqual || o.op == logic::Op::LessThan) && o.c == 0;
  };
  if (!bound(l) || (!l.x.is_process() && !l.y.is_process())) return false;
  // Two processes are different: between them <= is <.
  const bool needs_strict = l.op == logic::Op::LessThan && !(l.x.is_process() && l.y.is_process());
  std::vector<std::pair<Atom, bool>> reached{{l.x, false}};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    const auto [at, strict] = reached[i];
    for (const Literal& o : literals) {
      if (!bound(o) || o.x != at || o == l) continue;
      const std::pair<Atom, bool> next{o.y, strict || o.op == logic::Op::LessThan};
      if (next.first == l.y && (next.second || !needs_strict)) return true;
      if (std::find(reached.begin(), reached.end(), next) == reached.end()) reached.push_back(next);
    }
  }
  return false;
}

Cube rename(const Cube& cube, const Renaming& r, unsigned processes, unsigned nodes) {
  Cube result;
  result.processes = static_cast<std::uint8_t>(processes);
  result.nodes = static_cast<std::uint8_t>(nodes);
  result.literals.reserve(cube.literals.size());
  for (const Literal& l : cube.literals) result.literals.push_back({rename(l.x, r), rename(l.y, r), l.op, l.c});
  for (const LinearLiteral& l : cube.linear) {
    LinearLiteral copy = l;
    for (auto& [a, f] : copy.sum) a = rename(a, r);
    result.linear.push_back(std::move(copy));
  }
  result.node_rows.assign(nodes, 0);
  for (unsigned n = 0; n < cube.nodes; ++n)
    if (r.node[n] < 32) result.node_rows[r.node[n]] = rename(cube.node_rows[n], r);
  result.all_rows.assign(processes, 0);
  result.write_rows.assign(processes, 0);
  for (unsigned p = 0; p < cube.processes; ++p) {
    if (r.process[p] == no_process) continue;
    result.all_rows[r.process[p]] = rename(cube.all_rows[p], r);
    result.write_rows[r.process[p]] = rename(cube.write_rows[p], r);
  }
  result.other_all = rename(cube.other_all, r);
  result.other_write = rename(cube.other_write, r);
  for (const CellRow& c : cube.cell_rows) {
    const Row row = rename(c.row, r);
    if (row != 0) result.cell_rows.push_back({rename(c.cell, r), row});
  }
  for (const Promise& p : cube.promises) {
    Promise copy;
    copy.process = r.process[p.process];
    copy.row = rename(p.row, r);
    copy.passed = p.passed;
    for (const Atom a : p.cells) copy.cells.push_back(rename(a, r));
    std::sort(copy.cells.begin(), copy.cells.end());
    result.promises.push_back(std::move(copy));
  }
  sort_literals(result);
  return result;
}

std::array<Process, 32> compress(Cube& cube, const System& system) {
  Row pending = 0;
  std::uint32_t used = (std::uint32_t{1} << system.named()) - 1;
  const auto look = [&](Atom a) {
    if (a.is_read()) {
      pending |= Row{1} << a.node();
      used |= std::uint32_t{1} << a.reader();
    }
    if (a.kind() != Atom::Kind::Special || a.is_process()) {
      if (a.a() != no_process) used |= std::uint32_t{1} << a.a();
      if (a.b() != no_process) used |= std::uint32_t{1} << a.b();
    }
  };
  for (const Literal& l : cube.literals) {
    look(l.x);
    look(l.y);
  }
  for (const LinearLiteral& l : cube.linear)
    for (const auto& [a, f] : l.sum) look(a);
  for (unsigned p = 0; p < cube.processes; ++p)
    if ((((cube.all_rows[p] ^ cube.other_all) | (cube.write_rows[p] ^ cube.other_write)) & pending) != 0)
      used |= std::uint32_t{1} << p;
  for (const CellRow& c : cube.cell_rows)
    if ((c.row & pending) != 0) look(c.cell);
  for (const Promise& p : cube.promises) {
    used |= std::uint32_t{1} << p.process;
    for (const Atom a : p.cells) look(a);
  }
  Renaming r;
  r.process.fill(no_process);
  r.node.fill(32);
  unsigned processes = 0, nodes = 0;
  for (unsigned p = 0; p < cube.processes; ++p)
    if ((used >> p & 1) != 0) r.process[p] = static_cast<Process>(processes++);
  for (unsigned n = 0; n < cube.nodes; ++n)
    if ((pending >> n & 1) != 0) r.node[n] = static_cast<std::uint8_t>(nodes++);
  cube = rename(cube, r, processes, nodes);
  return r.process;
}

namespace {

// All ways to give init's parameters processes, which need not be different, each with one of init's cases.
bool initial_from(const System& system, std::vector<Constraint>& constraints, const std::vector<Instance>& instances,
                  std::size_t at) {
  if (at == instances.size()) {
    Cube scratch;
    return normalise(scratch, system, constraints);
  }
  for (const Case& c : system.init) {
    const std::size_t before = constraints.size();
    for (const Constraint& l : c.constraints) constraints.push_back(instantiate(l, instances[at]));
    if (initial_from(system, constraints, instances, at + 1)) return true;
    constraints.resize(before);
  }
  return false;
}

void enumerate(const System& system, unsigned processes, unsigned parameter, Instance& instance,
               std::vector<Instance>& all) {
  if (parameter == system.init_parameters) {
    all.push_back(instance);
    return;
  }
  for (unsigned p = 0; p < processes; ++p) {
    instance[parameter] = static_cast<Process>(p);
    enumerate(system, processes, parameter + 1, instance, all);
  }
}

}  // namespace

bool initial(const Cube& cube, const System& system) {
  if (!cube.promises.empty()) return false;
  // Before the first write every process reads what init says.
  const auto memory = [](Atom a) { return a.is_read() ? a.location() : a; };
  std::vector<Constraint> constraints;
  for (const Literal& l : cube.literals) {
    Constraint c;
    c.op = l.op;
    c.sum.add(memory(l.x), 1);
    c.sum.add(memory(l.y), -1);
    c.sum.c = -l.c;
    constraints.push_back(c);
  }
  for (const LinearLiteral& l : cube.linear) {
    Constraint c;
    c.op = l.op;
    for (const auto& [a, f] : l.sum) c.sum.add(memory(a), f);
    c.sum.c = -l.c;
    constraints.push_back(c);
  }
  Instance instance;
  instance.fill(no_process);
  for (unsigned k = 0; k < system.named(); ++k) instance[cubicle::first_concrete + k] = static_cast<Process>(k);
  std::vector<Instance> instances;
  enumerate(system, std::max<unsigned>(cube.processes, 1), 0, instance, instances);
  return initial_from(system, constraints, instances, 0);
}

}  // namespace heddle::array
