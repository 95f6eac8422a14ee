// SPDX-License-Identifier: Apache-2.0
#include "check/cubicle_certificate.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "array/preimage.h"
#include "array/text.h"
#include "logic/conjunction.h"
#include "support/json_text.h"

namespace heddle::check {

using array::Atom;
using array::Cube;
using array::Process;
using array::Row;
using nlohmann::json;

namespace {
constexpr const char* format = "heddle array certificate 2";
}

std::string certificate_text(const array::System& system, const array::MemoryModel& model,
                             const std::vector<Cube>& cubes) {
  json out;
  out["format"] = format;
  out["model"] = model.name;
  out["cubes"] = json::array();
  for (const Cube& cube : cubes) {
    json c;
    c["says"] = array::to_text(cube, system);
    c["processes"] = cube.processes;
    c["events"] = cube.nodes;
    c["literals"] = json::array();
    for (const array::Literal& l : cube.literals)
      c["literals"].push_back(
          {array::to_text(l.x, system), std::string(array::to_text(l.op)), array::to_text(l.y, system), l.c});
    for (const array::LinearLiteral& l : cube.linear) {
      json sum = json::array();
      for (const auto& [a, f] : l.sum) sum.push_back({array::to_text(a, system), f});
      c["linear"].push_back({sum, std::string(array::to_text(l.op)), l.c});
    }
    c["event_rows"] = cube.node_rows;
    c["all_rows"] = cube.all_rows;
    c["write_rows"] = cube.write_rows;
    c["other_rows"] = {cube.other_all, cube.other_write};
    c["cell_rows"] = json::array();
    for (const array::CellRow& r : cube.cell_rows) c["cell_rows"].push_back({array::to_text(r.cell, system), r.row});
    for (const array::Promise& p : cube.promises) {
      json cells = json::array();
      for (const Atom a : p.cells) cells.push_back(array::to_text(a, system));
      c["promises"].push_back({{"process", p.process}, {"cells", cells}, {"row", p.row}, {"passed", p.passed}});
    }
    out["cubes"].push_back(std::move(c));
  }
  return out.dump(1) + "\n";
}

namespace {

struct Malformed {
  std::string what;
};

// "[json.exception.out_of_range.403] key 'cubes' not found" and its like.
std::string in_our_words(const json::exception& e) {
  const std::string_view what = e.what();
  const std::size_t open = what.find('\''), close = what.find('\'', open + 1);
  if (e.id == 403 && close != std::string_view::npos)
    return "there is no " + std::string(what.substr(open, close - open + 1));
  if (e.id == 401) return "a list is too short";
  return "a value is not of the kind that stands there";
}

Atom atom(const json& text, const array::System& system) {
  const auto a = array::atom_from(text.get<std::string>(), system);
  if (!a) throw Malformed{"'" + text.get<std::string>() + "' is no atom of this system"};
  return *a;
}

// Nothing for the number 0.
std::optional<cubicle::TypeId> type_of(Atom a, const array::System& system) {
  if (a.is_zero()) return std::nullopt;
  return a.is_process() ? cubicle::type_proc : system.source->symbols[a.symbol()].type;
}

// Processes are numbers inside a formula, and others after a renaming: a literal may compare them with nothing but
// processes. Otherwise what a system may say is what a literal may say.
bool well_typed(const array::Literal& l, const array::System& system) {
  const auto x = type_of(l.x, system), y = type_of(l.y, system);
  if ((!x && !y) || (x && y && *x != *y)) return false;
  const bool equality = l.op == logic::Op::Equal || l.op == logic::Op::NotEqual;
  const bool same = x && y && l.c == 0;
  switch (system.source->types[x ? *x : *y].kind) {
    case cubicle::Type::Kind::Int:
    case cubicle::Type::Kind::Real: return true;
    case cubicle::Type::Kind::Enumeration: return equality && (same || !x || !y);
    case cubicle::Type::Kind::Proc: return same && (equality || system.source->ordered);
    case cubicle::Type::Kind::Abstract: return same && equality;
  }
  return false;
}

bool well_typed(const array::LinearLiteral& l, const array::System& system) {
  const auto first = l.sum.empty() ? std::nullopt : type_of(l.sum.front().first, system);
  return (first == cubicle::type_int || first == cubicle::type_real) &&
         std::ranges::all_of(l.sum, [&](const auto& m) { return type_of(m.first, system) == first; });
}

Cube read_cube(const json& c, const array::System& system) {
  Cube cube;
  cube.processes = c.at("processes").get<std::uint8_t>();
  cube.nodes = c.at("events").get<std::uint8_t>();
  const auto op = [](const json& text) {
    const auto o = array::op_from(text.get<std::string>());
    if (!o) throw Malformed{"'" + text.get<std::string>() + "' is no relation"};
    return *o;
  };
  for (const json& l : c.at("literals"))
    cube.literals.push_back({atom(l.at(0), system), atom(l.at(2), system), op(l.at(1)), l.at(3).get<std::int64_t>()});
  if (c.contains("linear"))
    for (const json& l : c.at("linear")) {
      array::LinearLiteral out;
      for (const json& m : l.at(0)) out.sum.emplace_back(atom(m.at(0), system), m.at(1).get<std::int64_t>());
      out.op = op(l.at(1));
      out.c = l.at(2).get<std::int64_t>();
      cube.linear.push_back(std::move(out));
    }
  cube.node_rows = c.at("event_rows").get<std::vector<Row>>();
  cube.all_rows = c.at("all_rows").get<std::vector<Row>>();
  cube.write_rows = c.at("write_rows").get<std::vector<Row>>();
  cube.other_all = c.at("other_rows").at(0).get<Row>();
  cube.other_write = c.at("other_rows").at(1).get<Row>();
  for (const json& r : c.at("cell_rows")) cube.cell_rows.push_back({atom(r.at(0), system), r.at(1).get<Row>()});
  if (c.contains("promises"))
    for (const json& p : c.at("promises")) {
      array::Promise out;
      out.process = p.at("process").get<Process>();
      for (const json& a : p.at("cells")) out.cells.push_back(atom(a, system));
      out.row = p.at("row").get<Row>();
      out.passed = p.at("passed").get<bool>();
      std::sort(out.cells.begin(), out.cells.end());
      cube.promises.push_back(std::move(out));
    }
  if (!std::ranges::all_of(cube.literals, [&](const auto& l) { return well_typed(l, system); }) ||
      !std::ranges::all_of(cube.linear, [&](const auto& l) { return well_typed(l, system); }))
    throw Malformed{"a cube compares what cannot be compared"};
  array::sort_literals(cube);

  // A file may say anything: no number may point outside its table.
  const auto process_ok = [&](Process p) { return p == array::no_process || p < cube.processes; };
  const auto atom_ok = [&](Atom a) {
    if (a.kind() == Atom::Kind::Special) return !a.is_process() || process_ok(a.a());
    return process_ok(a.a()) && process_ok(a.b()) &&
           (!a.is_read() || (a.node() < cube.nodes && process_ok(a.reader()))) &&
           (!a.is_promise() ||
            (a.node() < cube.promises.size() && std::ranges::count(cube.promises[a.node()].cells, a.location()) != 0));
  };
  const auto shared_ok = [&](Atom a) { return a.is_cell() && system.source->symbols[a.symbol()].weak && atom_ok(a); };
  const Row nodes = cube.nodes >= 32 ? 0 : (Row{1} << cube.nodes) - 1;
  const auto row_ok = [&](Row r) { return (r & ~nodes) == 0; };
  bool ok = cube.processes <= array::max_processes && cube.processes >= system.named() &&
            cube.nodes < array::max_nodes && cube.node_rows.size() == cube.nodes &&
            cube.all_rows.size() == cube.processes && cube.write_rows.size() == cube.processes;
  for (const auto& l : cube.literals) ok = ok && atom_ok(l.x) && atom_ok(l.y);
  for (const auto& l : cube.linear)
    for (const auto& [a, f] : l.sum) ok = ok && atom_ok(a);
  for (const auto* rows : {&cube.node_rows, &cube.all_rows, &cube.write_rows})
    for (const Row r : *rows) ok = ok && row_ok(r);
  ok = ok && row_ok(cube.other_all) && row_ok(cube.other_write);
  for (const auto& r : cube.cell_rows) ok = ok && shared_ok(r.cell) && row_ok(r.row);
  for (const auto& p : cube.promises) {
    ok = ok && p.process < cube.processes && row_ok(p.row);
    for (const Atom a : p.cells) ok = ok && shared_ok(a);
  }
  for (unsigned n = 0; ok && n < cube.nodes; ++n) ok = (cube.node_rows[n] >> n & 1) != 0;
  if (!ok) throw Malformed{"a cube speaks of a process, an event or a write that it does not have"};
  return cube;
}

// Conjunctions for Z3, straight from atoms.
class CertificateFormula {
 public:
  explicit CertificateFormula(const array::System& system, bool reads_are_memory)
      : system_(system), memory_(reads_are_memory) {
    f_.sorts.push_back({});
  }

  void add(const array::Constraint& c) {
    logic::Linear l;
    l.op = c.op;
    l.c = -c.sum.c;
    for (const auto& t : c.sum) {
      if (t.atom.is_process() && (!system_.source->ordered || t.atom.a() < system_.named()))
        l.c -= t.factor * t.atom.a();
      else l.sum.emplace_back(var(t.atom), t.factor);
    }
    if (l.sum.empty()) f_.literals.push_back({l.op, logic::zero, logic::zero, l.c});
    else f_.linear.push_back(std::move(l));
  }
  void add(const Cube& cube) {
    for (const auto& l : cube.literals) add(array::constraint(l));
    for (const auto& l : cube.linear) add(array::constraint(l));
  }
  std::size_t size() const { return f_.linear.size(); }
  void cut(std::size_t linear, std::size_t literals) {
    f_.linear.resize(linear);
    f_.literals.resize(literals);
  }
  std::size_t literals() const { return f_.literals.size(); }
  bool satisfiable() const {
    logic::Conjunction all = f_;
    all.literals.insert(all.literals.end(), axioms_.begin(), axioms_.end());
    return logic::decide_z3(all) != logic::Answer::Unsatisfiable;
  }

 private:
  logic::Var var(Atom a) {
    if (a.is_read() && memory_) a = a.location();
    for (std::size_t i = 0; i < atoms_.size(); ++i)
      if (atoms_[i] == a) return static_cast<logic::Var>(i + 1);
    atoms_.push_back(a);
    if (a.is_process()) return process_number();
    const cubicle::Type& type = system_.type(a.is_any() ? a.any_symbol() : a.symbol());
    logic::Sort sort{logic::Sort::Kind::Infinite, 0};
    if (type.kind == cubicle::Type::Kind::Enumeration)
      sort = {logic::Sort::Kind::Finite, static_cast<unsigned>(type.constructors.size())};
    if (type.kind == cubicle::Type::Kind::Int) sort = {logic::Sort::Kind::Int, 0};
    if (type.kind == cubicle::Type::Kind::Real) sort = {logic::Sort::Kind::Real, 0};
    f_.sorts.push_back(sort);
    const auto v = static_cast<logic::Var>(atoms_.size());
    // Where processes have an order, one is its number: #1 is 0, and nothing comes before it.
    if (system_.source->ordered && type.kind == cubicle::Type::Kind::Proc)
      axioms_.push_back({logic::Op::LessEqual, logic::zero, v, 0});
    return v;
  }
  // The last of `atoms_`, an anonymous process of an ordered system: some number beyond those of named processes,
  // another one than all other processes have.
  logic::Var process_number() {
    f_.sorts.push_back({logic::Sort::Kind::Int, 0});
    const auto v = static_cast<logic::Var>(atoms_.size());
    axioms_.push_back({logic::Op::LessEqual, logic::zero, v, -static_cast<std::int64_t>(system_.named())});
    for (std::size_t i = 0; i + 1 < atoms_.size(); ++i)
      if (atoms_[i].is_process()) axioms_.push_back({logic::Op::NotEqual, static_cast<logic::Var>(i + 1), v, 0});
    return v;
  }
  const array::System& system_;
  bool memory_;
  std::vector<Atom> atoms_;
  logic::Conjunction f_;
  std::vector<logic::Literal> axioms_;  // about the variables, whatever the constraints say of them
};

// The checker's own way from constraints to literals: each as it stands, nothing solved. Drops only what contradicts
// itself word by word; all else is left to Z3.
bool as_it_stands(Cube& cube, const array::System& system, const std::vector<array::Constraint>& constraints) {
  cube.literals.clear();
  cube.linear.clear();
  for (const array::Constraint& c : constraints) {
    const array::Sum& s = c.sum;
    const array::Sum::Term* t = s.begin();
    const bool difference = s.size() == 2 && t[0].factor == -t[1].factor && (t[0].factor == 1 || t[0].factor == -1);
    if (s.size() == 0) {
      const bool holds = c.op == logic::Op::Equal       ? s.c == 0
                         : c.op == logic::Op::NotEqual  ? s.c != 0
                         : c.op == logic::Op::LessEqual ? s.c <= 0
                                                        : s.c < 0;
      if (!holds) return false;
    } else if (difference && t[0].atom.is_process() && t[1].atom.is_process()) {
      if (c.op == logic::Op::Equal) return false;  // two that did not cancel out are different
      if (c.op == logic::Op::NotEqual) continue;
      const Process less = t[t[0].factor > 0 ? 0 : 1].atom.a(), greater = t[t[0].factor > 0 ? 1 : 0].atom.a();
      if (const auto known = array::precedes(less, greater, system)) {
        if (!*known) return false;
      } else {
        cube.literals.push_back({Atom::process(less), Atom::process(greater), logic::Op::LessThan, 0});
      }
    } else if (difference || (s.size() == 1 && (t[0].factor == 1 || t[0].factor == -1))) {
      const Atom other = difference ? t[1].atom : Atom::zero();
      array::Literal l{t[0].atom, other, c.op, -s.c};
      if (t[0].factor < 0) l = {other, t[0].atom, c.op, -s.c};
      if (c.op == logic::Op::NotEqual && !difference) {  // of two values it is the other one
        const cubicle::Type& type = system.type(t[0].atom.is_any() ? t[0].atom.any_symbol() : t[0].atom.symbol());
        const std::int64_t value = t[0].factor < 0 ? s.c : -s.c;
        if (type.kind == cubicle::Type::Kind::Enumeration && type.constructors.size() == 2 &&
            (value == 0 || value == 1))
          l = {t[0].atom, Atom::zero(), logic::Op::Equal, 1 - value};
      }
      cube.literals.push_back(l);
    } else {
      array::LinearLiteral l;
      l.op = c.op;
      l.c = -s.c;
      for (const auto& term : s) l.sum.emplace_back(term.atom, term.factor);
      cube.linear.push_back(std::move(l));
    }
  }
  array::sort_literals(cube);
  cube.literals.erase(std::unique(cube.literals.begin(), cube.literals.end()), cube.literals.end());
  for (std::size_t i = 0; i + 1 < cube.literals.size(); ++i) {
    const array::Literal &l = cube.literals[i], &m = cube.literals[i + 1];
    if (l.x == m.x && l.y == m.y && l.op == logic::Op::Equal && m.op == logic::Op::Equal) return false;  // two values
  }
  return true;
}

// What follows from a cube's data.
class Facts {
 public:
  Facts(const Cube& b, const array::System& system) : b_(b), system_(system) {}

  bool stated(const array::Literal& l) const {
    return std::find(b_.literals.begin(), b_.literals.end(), l) != b_.literals.end() ||
           (system_.source->ordered && array::order_follows(b_.literals, l));
  }

  bool follows(const array::Literal& l) {
    if (stated(l)) return true;
    if (l.op == logic::Op::Equal)  // another value is stated: it does not follow, unless there is no model, which is
                                   // asked for last
      for (const array::Literal& o : b_.literals)
        if (o.op == logic::Op::Equal && o.x == l.x && o.y == l.y) return false;
    const auto [it, fresh] = asked_.try_emplace(l, false);
    if (fresh) it->second = follows(array::constraint(l));
    return it->second;
  }

  bool follows(const array::Constraint& l) const {
    const auto with = [&](logic::Op op, int sign) {
      CertificateFormula f(system_, false);
      f.add(b_);
      array::Constraint c;
      c.op = op;
      c.sum.add(l.sum, sign);
      f.add(c);
      return f.satisfiable();
    };
    switch (l.op) {
      case logic::Op::Equal: return !with(logic::Op::NotEqual, 1);
      case logic::Op::NotEqual: return !with(logic::Op::Equal, 1);
      case logic::Op::LessEqual: return !with(logic::Op::LessThan, -1);
      case logic::Op::LessThan: return !with(logic::Op::LessEqual, -1);
    }
    return false;
  }

  bool impossible() const {
    CertificateFormula f(system_, false);
    f.add(b_);
    return !f.satisfiable();
  }

 private:
  const Cube& b_;
  const array::System& system_;
  std::map<array::Literal, bool> asked_;
};

// All injective maps of A's processes and events into B's.
class Containment {
 public:
  Containment(const Cube& a, const Cube& b, Facts& facts, const array::System& system, bool ask)
      : a_(a), b_(b), facts_(facts), system_(system), ask_(ask) {}
  bool run() {
    if (a_.processes > b_.processes || a_.nodes > b_.nodes) return false;
    // Without events a cube is about local cells alone, and a promise changes none of these.
    if (a_.promises.size() != b_.promises.size() && !(a_.nodes == 0 && a_.promises.empty())) return false;
    r_.process.fill(array::no_process);
    r_.node.fill(32);
    return known_literals(0, 0) && processes(0);  // literals without a process are never in question again
  }

 private:
  bool processes(unsigned p) {
    if (p == a_.processes) return nodes(0);
    for (unsigned q = 0; q < b_.processes; ++q) {
      if ((p < system_.named() || q < system_.named()) && p != q) continue;
      if (std::find(r_.process.begin(), r_.process.begin() + p, q) != r_.process.begin() + p) continue;
      r_.process[p] = static_cast<Process>(q);
      if (known_literals(p + 1, 0) && processes(p + 1)) return true;
    }
    r_.process[p] = array::no_process;
    return false;
  }
  bool nodes(unsigned n) {
    if (n == a_.nodes) return whole();
    for (unsigned m = 0; m < b_.nodes; ++m) {
      if (std::find(r_.node.begin(), r_.node.begin() + n, m) != r_.node.begin() + n) continue;
      r_.node[n] = static_cast<std::uint8_t>(m);
      if (known_literals(a_.processes, n + 1) && nodes(n + 1)) return true;
    }
    r_.node[n] = 32;
    return false;
  }
  // Literals whose last open name has just been given.
  bool known_literals(unsigned processes, unsigned nodes) {
    for (const array::Literal& l : a_.literals) {
      unsigned most_process = 0, most_node = 0;
      for (const Atom a : {l.x, l.y}) {
        for (const Process p : {a.a(), a.b(), a.is_read() ? a.reader() : array::no_process})
          if (p != array::no_process && (a.kind() != Atom::Kind::Special || a.is_process()))
            most_process = std::max(most_process, p + 1U);
        if (a.is_read()) most_node = std::max(most_node, a.node() + 1);
      }
      const bool now = nodes > 0 ? most_node == nodes : most_node == 0 && most_process == processes;
      if (!now) continue;
      array::Literal m{array::rename(l.x, r_), array::rename(l.y, r_), l.op, l.c};
      if ((m.op == logic::Op::Equal || m.op == logic::Op::NotEqual) && m.y < m.x) {
        std::swap(m.x, m.y);
        m.c = -m.c;
      }
      if (!(ask_ ? facts_.follows(m) : facts_.stated(m))) return false;
    }
    return true;
  }
  bool inside(Row a, Row b) const { return (array::rename(a, r_) & ~b) == 0; }
  bool whole() const {
    for (unsigned n = 0; n < a_.nodes; ++n)
      if (!inside(a_.node_rows[n], b_.node_rows[r_.node[n]])) return false;
    for (unsigned p = 0; p < a_.processes; ++p)
      if (!inside(a_.all_rows[p], b_.all_rows[r_.process[p]]) ||
          !inside(a_.write_rows[p], b_.write_rows[r_.process[p]]))
        return false;
    if (!inside(a_.other_all, b_.other_all) || !inside(a_.other_write, b_.other_write)) return false;
    for (const array::CellRow& c : a_.cell_rows) {
      Row row = 0;
      for (const array::CellRow& d : b_.cell_rows)
        if (d.cell == array::rename(c.cell, r_)) row = d.row;
      if (!inside(c.row, row)) return false;
    }
    for (std::size_t k = 0; k < a_.promises.size(); ++k) {
      const array::Promise &p = a_.promises[k], &q = b_.promises[k];
      if (r_.process[p.process] != q.process || p.cells.size() != q.cells.size() || (q.passed && !p.passed) ||
          !inside(p.row, q.row))
        return false;
      for (const Atom c : p.cells)
        if (std::find(q.cells.begin(), q.cells.end(), array::rename(c, r_)) == q.cells.end()) return false;
    }
    for (const array::LinearLiteral& l : a_.linear) {
      array::Constraint c = array::constraint(l);
      array::Constraint m{c.op, array::Sum::constant(c.sum.c)};
      for (const auto& t : c.sum) m.sum.add(array::rename(t.atom, r_), t.factor);
      if (!ask_ || !facts_.follows(m)) return false;
    }
    return true;
  }

  const Cube& a_;
  const Cube& b_;
  Facts& facts_;
  const array::System& system_;
  bool ask_;
  array::Renaming r_{};
};

// `likely` is asked first: most pre-images that change nothing lie in the cube they come from.
bool covered(const Cube& b, const std::vector<Cube>& cubes, const array::System& system, const Cube* likely = nullptr) {
  Facts facts(b, system);
  if (likely != nullptr && Containment(*likely, b, facts, system, false).run()) return true;
  for (const bool ask : {false, true}) {
    if (ask && facts.impossible()) return true;
    for (const Cube& a : cubes)
      if (Containment(a, b, facts, system, ask).run()) return true;
  }
  return false;
}

bool holds_initial(const array::System& system, CertificateFormula& f, const std::vector<array::Instance>& all,
                   std::size_t at) {
  if (!f.satisfiable()) return false;
  if (at == all.size()) return true;
  for (const array::Case& c : system.init) {
    const std::size_t linear = f.size(), literals = f.literals();
    for (const array::Constraint& l : c.constraints) f.add(array::instantiate(l, all[at]));
    if (holds_initial(system, f, all, at + 1)) return true;
    f.cut(linear, literals);
  }
  return false;
}

bool holds_initial(const Cube& cube, const array::System& system) {
  if (!cube.promises.empty()) return false;
  const unsigned processes = std::max<unsigned>(cube.processes, 1);
  array::Instance blank;
  blank.fill(array::no_process);
  for (unsigned k = 0; k < system.named(); ++k) blank[cubicle::first_concrete + k] = static_cast<Process>(k);
  std::vector<array::Instance> all{blank};
  for (unsigned i = 0; i < system.init_parameters; ++i) {
    std::vector<array::Instance> longer;
    for (const auto& instance : all)
      for (unsigned p = 0; p < processes; ++p) {
        longer.push_back(instance);
        longer.back()[i] = static_cast<Process>(p);
      }
    all = std::move(longer);
  }
  CertificateFormula f(system, true);
  f.add(cube);
  return holds_initial(system, f, all, 0);
}

}  // namespace

CertificateCheck check_certificate(const array::System& system, std::string_view text, core::Budget& budget,
                                   const std::vector<std::string>& about) {
  CertificateCheck result;
  std::size_t cube_number = 0;  // of the one that is being read
  try {
    const json in = support::parse_json<json>(text);
    if (!in.is_object()) throw Malformed{"this is no certificate: it is no JSON object"};
    if (in.at("format").get<std::string>() != format)
      throw Malformed{"its format is not '" + std::string(format) + "'"};
    const array::MemoryModel* model = array::memory_model(in.at("model").get<std::string>());
    if (model == nullptr) throw Malformed{"there is no model '" + in.at("model").get<std::string>() + "'"};
    result.model = model->name;
    if (!about.empty() && std::find(about.begin(), about.end(), result.model) == about.end())
      throw Malformed{"this certificate is about " + result.model + ", which is not the model that was asked for"};
    std::vector<Cube> cubes;
    for (const json& c : in.at("cubes")) {
      ++cube_number;
      cubes.push_back(read_cube(c, system));
    }
    cube_number = 0;
    result.cubes = cubes.size();
    for (const Cube& cube : cubes)
      if (holds_initial(cube, system)) {
        result.reason = "an initial state lies in " + array::to_text(cube, system);
        return result;
      }
    const std::size_t listed = cubes.size();
    for (const array::Bad& bad : system.invariants)
      for (Cube& cube : array::bad_cubes(system, *model, bad, as_it_stands)) cubes.push_back(std::move(cube));
    for (const array::Bad& bad : system.unsafe)
      for (const Cube& cube : array::bad_cubes(system, *model, bad, as_it_stands))
        if (!covered(cube, cubes, system)) {
          result.reason = "the unsafe states " + array::to_text(cube, system) + " are not covered";
          return result;
        }
    array::PreimageOptions everything;
    everything.skip_idle = false;
    everything.simplify = as_it_stands;
    std::atomic<bool> bounded = false;
    everything.bounded = &bounded;
    everything.promises = 8;
    for (std::size_t i = 0; i < listed && result.reason.empty(); ++i)
      array::preimage(system, *model, cubes[i], everything, [&](Cube&& before, const array::Step& step) {
        ++result.preimages;
        if (!result.reason.empty()) return;
        if (const auto spent = budget.spent({0, "cubes", result.preimages, 0, -1})) {
          result.stopped = true;
          result.reason = spent->text;
        }
        if (result.reason.empty() && !covered(before, cubes, system, &cubes[i]))
          result.reason = "transition " + system.transitions[step.transition].name + " leads from " +
                          array::to_text(before, system) + ", which is not covered, into " +
                          array::to_text(cubes[i], system);
      });
    if (bounded) result.reason = "more writes are on their way to memory than the checker follows";
    result.valid = result.reason.empty();
  } catch (const Malformed& m) {
    result.malformed = true;
    result.reason = (cube_number != 0 ? "cube " + std::to_string(cube_number) + ": " : "") + m.what;
  } catch (const json::parse_error& e) {
    result.malformed = true;
    result.reason = "this is no certificate: it is no JSON";
    const auto end = text.begin() + static_cast<std::ptrdiff_t>(std::min(e.byte, text.size()));
    result.line = 1 + static_cast<unsigned>(std::count(text.begin(), end, '\n'));
  } catch (const json::exception& e) {
    result.malformed = true;
    result.reason =
        "this is no certificate: " + (cube_number != 0 ? "cube " + std::to_string(cube_number) + ": " : "") +
        in_our_words(e);
  } catch (const std::invalid_argument& e) {
    result.malformed = true;
    result.reason = std::string("this is no certificate: ") + e.what();
  } catch (const array::OutOfRange& e) {
    result.reason = std::string("the check needs ") + e.what;
  }
  return result;
}

}  // namespace heddle::check
