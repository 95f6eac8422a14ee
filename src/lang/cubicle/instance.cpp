// SPDX-License-Identifier: Apache-2.0
#include "lang/cubicle/instance.h"

#include <algorithm>
#include <numeric>
#include <set>

#include "core/input.h"
#include "ir/build.h"
#include "lang/cubicle/initial_states.h"

namespace heddle::cubicle {

namespace {

using ir::ExprId;
using ir::Op;

constexpr std::size_t max_edges = 50000;
constexpr std::size_t max_initial = 50000;
constexpr std::int64_t largest = 32767;

struct Refusal {
  Place place;
  std::string message;
};

// A limit ended the work.
struct Stopped {
  core::Reason why;
};

bool reads_weak(const System& s, const Term& t) {
  return std::ranges::any_of(t.monomials, [&](const Monomial& m) { return s.symbols[m.access.symbol].weak; });
}
bool reads_weak(const System& s, const Formula& f) {
  return std::ranges::any_of(f.terms, [&](const Term& t) { return reads_weak(s, t); }) ||
         std::ranges::any_of(f.children, [&](const Formula& c) { return reads_weak(s, c); });
}
bool has_fence(const Formula& f) {
  return f.kind == Formula::Kind::Fence || std::ranges::any_of(f.children, has_fence);
}

class Lowering {
 public:
  Lowering(const System& system, unsigned processes, const core::Budget* budget)
      : system_(system), n_(processes), budget_(budget), p_(result_.program) {}

  Instance run() {
    if (n_ == 0 || n_ > max_instance)
      throw Refusal{{}, "an instance has from 1 to " + std::to_string(max_instance) + " processes"};
    if (n_ < system_.concrete)
      throw Refusal{{},
                    "the system names process #" + std::to_string(system_.concrete) +
                        ": an instance of it has at least as many processes"};
    if (system_.number_procs != 0 && n_ > system_.number_procs)
      throw Refusal{{}, "the system has at most " + std::to_string(system_.number_procs) + " processes (number_procs)"};
    p_.name = system_.file;
    p_.one_entry = true;
    survey();
    declare();
    for (std::size_t t = 0; t < system_.transitions.size(); ++t) transition(t);
    for (const Block& b : system_.unsafe) p_.propositions.push_back({b.name.empty() ? "unsafe" : b.name, some(b)});
    for (const Block& b : system_.invariants)
      p_.assumptions.push_back({"invariant", ir::make_unary(p_, Op::Not, some(b))});
    initial();
    ir::finish(p_);
    return std::move(result_);
  }

 private:
  using Slots = std::vector<unsigned>;

  void poll() {
    if (budget_ == nullptr || ++polls_ % 256 != 0) return;
    if (const auto why = budget_->over()) throw Stopped{*why};
  }

  // --- numbers of the text

  void survey(const Term& t) {
    if (t.kind != Term::Kind::Linear) return;
    constants_.push_back(t.constant);
    unit_ = std::lcm(unit_, 2 * t.constant.den);  // half way between two of them is a number too
    if (unit_ > largest)
      throw Refusal{t.place, "the fractions of the text have no common unit that an instance can count in"};
  }
  void survey(const Formula& f) {
    for (const Term& t : f.terms) survey(t);
    for (const Formula& c : f.children) survey(c);
  }
  void survey() {
    constants_.push_back({0, 1});
    for (const Transition& t : system_.transitions) {
      survey(t.guard);
      for (const Update& u : t.updates)
        for (const Arm& a : u.arms) {
          survey(a.condition);
          if (!a.any) survey(a.value);
        }
    }
    for (const Block& b : system_.unsafe) survey(b.formula);
    for (const Block& b : system_.invariants) survey(b.formula);
    survey(system_.init.formula);
    // The numbers, their neighbours, and what lies half way between two: every other number compares with the text's
    // numbers as one of these does.
    std::set<std::int64_t> sorted;
    for (const Rational& r : constants_) {
      if (std::abs(r.num) > largest) continue;  // refused where it occurs
      sorted.insert(r.num * unit_ / r.den);
      if (r.den == 1)
        for (const std::int64_t d : {-1, 0, 1}) whole_.insert(r.num + d);
    }
    for (auto it = sorted.begin(); it != sorted.end(); ++it) {
      real_.insert(*it);
      if (const auto next = std::next(it); next != sorted.end()) real_.insert((*it + *next) / 2);
    }
    real_.insert(*sorted.begin() - unit_);
    real_.insert(*sorted.rbegin() + unit_);
  }

  // The values that a choice is made from.
  std::vector<std::int32_t> domain(TypeId id) const {
    const Type& type = system_.types[id];
    std::vector<std::int32_t> values;
    switch (type.kind) {
      case Type::Kind::Int:
      case Type::Kind::Real:
        for (const std::int64_t v : type.kind == Type::Kind::Real ? real_ : whole_)
          if (std::abs(v) <= largest) values.push_back(static_cast<std::int32_t>(v));
        return values;
      case Type::Kind::Enumeration: values.resize(type.constructors.size()); break;
      case Type::Kind::Proc:
      case Type::Kind::Abstract: values.resize(n_); break;
    }
    std::iota(values.begin(), values.end(), 0);
    return values;
  }
  bool unbounded(TypeId id) const {
    const Type::Kind kind = system_.types[id].kind;
    return kind == Type::Kind::Int || kind == Type::Kind::Real || kind == Type::Kind::Abstract;
  }

  // --- processes and variables

  ir::Type type_of(TypeId id) const {
    const Type& type = system_.types[id];
    switch (type.kind) {
      case Type::Kind::Enumeration:
        if (type.constructors.size() <= 2) return ir::Type::Bit;
        return type.constructors.size() <= 256 ? ir::Type::Byte : ir::Type::Short;
      case Type::Kind::Proc:
      case Type::Kind::Abstract: return ir::Type::Byte;
      case Type::Kind::Int:
      case Type::Kind::Real: break;
    }
    return ir::Type::Short;
  }

  std::uint32_t variable(std::string name, std::uint32_t process, ir::Type type, unsigned length) {
    ir::Variable v;
    v.name = std::move(name);
    v.process = process;
    v.type = type;
    v.array = length != 0;
    v.length = std::max(1U, length);
    v.initial.assign(v.length, 0);
    const auto number = static_cast<std::uint32_t>(p_.variables.size());
    if (process != ir::none) p_.processes[process].locals.push_back(number);
    p_.variables.push_back(std::move(v));
    return number;
  }

  void declare() {
    for (unsigned k = 0; k <= n_; ++k) {
      ir::Process process;
      process.name = k == n_ ? "system" : "#" + std::to_string(k + 1);
      process.states.resize(1);
      process.states[0].name = "run";
      p_.processes.push_back(std::move(process));
    }
    for (const Symbol& s : system_.symbols) {
      auto& first = first_.emplace_back();
      const ir::Type type = type_of(s.type);
      if (s.weak) {
        first.push_back(variable(s.name, ir::none, type, s.arity == 0 ? 0 : s.arity == 1 ? n_ : n_ * n_));
      } else if (s.arity == 0) {
        first.push_back(variable(s.name, n_, type, 0));
      } else {
        for (unsigned k = 0; k < n_; ++k) first.push_back(variable(s.name, k, type, s.arity == 1 ? 0 : n_));
      }
    }
  }

  Cell cell(SymbolId symbol, unsigned a, unsigned b) const {
    const Symbol& s = system_.symbols[symbol];
    if (s.arity == 0) return {first_[symbol][0], 0};
    if (s.weak) return {first_[symbol][0], s.arity == 1 ? a : a * n_ + b};
    return {first_[symbol][a], s.arity == 1 ? 0 : b};
  }

  ExprId read(const Cell& c) {
    if (!p_.variables[c.variable].array) return ir::make_var(p_, c.variable);
    return ir::make_index(p_, c.variable, ir::make_const(p_, static_cast<std::int32_t>(c.index)), core::no_site);
  }

  // --- formulas

  unsigned process(Slot slot, const Slots& slots) const {
    return slot >= first_concrete ? slot - first_concrete : slots[slot];
  }

  ExprId constant(std::int64_t v, Place place) {
    if (std::abs(v) > largest)
      throw Refusal{place, "a number beyond 16 bits, which is more than an instance can count"};
    return ir::make_const(p_, static_cast<std::int32_t>(v));
  }

  ExprId term(const Term& t, const Slots& slots) {
    if (t.kind == Term::Kind::Constructor) return ir::make_const(p_, static_cast<std::int32_t>(t.constructor));
    if (t.kind == Term::Kind::Process) return ir::make_const(p_, static_cast<std::int32_t>(process(t.process, slots)));
    ExprId sum = ir::no_expr;
    std::int64_t weight = 0;
    for (const Monomial& m : t.monomials) {
      if (m.factor.den != 1) throw Refusal{t.place, "a fraction of a variable, which an instance cannot count"};
      weight += std::abs(m.factor.num);
      const auto at = [&](unsigned i) { return m.access.args[i] == no_slot ? 0U : process(m.access.args[i], slots); };
      const Cell c = cell(m.access.symbol, at(0), at(1));
      ExprId value = ir::no_expr;
      if (system_.symbols[m.access.symbol].weak && m.access.viewer != no_slot)
        value = ir::make_seen(
            p_, process(m.access.viewer, slots), c.variable,
            p_.variables[c.variable].array ? ir::make_const(p_, static_cast<std::int32_t>(c.index)) : ir::no_expr);
      else value = read(c);
      if (m.factor.num != 1)
        value = ir::make_binary(p_, Op::Mul, constant(m.factor.num, t.place), value, core::no_site);
      sum = sum == ir::no_expr ? value : ir::make_binary(p_, Op::Add, sum, value, core::no_site);
    }
    if (weight > 20000) throw Refusal{t.place, "factors beyond what an instance can count"};
    const std::int64_t scale = t.type == type_real ? unit_ : 1;
    if (std::abs(t.constant.num) > largest)
      throw Refusal{t.place, "a number beyond 16 bits, which is more than an instance can count"};
    const std::int64_t rest = t.constant.num * scale / t.constant.den;
    if (sum == ir::no_expr) return constant(rest, t.place);
    return rest == 0 ? sum : ir::make_binary(p_, Op::Add, sum, constant(rest, t.place), core::no_site);
  }

  bool is(ExprId e, bool value) const { return p_.expr(e).op == Op::Const && (p_.expr(e).value != 0) == value; }
  ExprId truth(bool value) { return ir::make_const(p_, value ? 1 : 0); }

  // A balanced tree, so that long lists do not make deep expressions.
  ExprId join(Op op, std::vector<ExprId> parts) {
    const bool neutral = op == Op::And;
    if (std::ranges::any_of(parts, [&](ExprId e) { return is(e, !neutral); })) return truth(!neutral);
    std::erase_if(parts, [&](ExprId e) { return is(e, neutral); });
    if (parts.empty()) return truth(neutral);
    while (parts.size() > 1) {
      std::vector<ExprId> fewer;
      for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
        fewer.push_back(ir::make_binary(p_, op, parts[i], parts[i + 1], core::no_site));
      if (parts.size() % 2 != 0) fewer.push_back(parts.back());
      parts = std::move(fewer);
    }
    return parts[0];
  }

  ExprId formula(const Formula& f, Slots& slots, bool fence) {
    switch (f.kind) {
      case Formula::Kind::True: return truth(true);
      case Formula::Kind::False: return truth(false);
      case Formula::Kind::Fence: return truth(fence);
      case Formula::Kind::Not: {
        const ExprId e = formula(f.children[0], slots, fence);
        return ir::make_unary(p_, Op::Not, e);
      }
      case Formula::Kind::And:
      case Formula::Kind::Or: {
        std::vector<ExprId> parts;
        for (const Formula& c : f.children) parts.push_back(formula(c, slots, fence));
        return join(f.kind == Formula::Kind::And ? Op::And : Op::Or, std::move(parts));
      }
      case Formula::Kind::Forall:
      case Formula::Kind::Exists: {
        std::vector<ExprId> parts;
        if (slots.size() <= f.bound) slots.resize(f.bound + 1U, 0);
        for (unsigned k = 0; k < n_; ++k) {
          if (std::ranges::any_of(f.excluded, [&](Slot e) { return process(e, slots) == k; })) continue;
          slots[f.bound] = k;
          parts.push_back(formula(f.children[0], slots, fence));
        }
        return join(f.kind == Formula::Kind::Forall ? Op::And : Op::Or, std::move(parts));
      }
      case Formula::Kind::Atom: {
        const ExprId left = term(f.terms[0], slots), right = term(f.terms[1], slots);
        const Op op = f.op == Compare::Equal      ? Op::Eq
                      : f.op == Compare::NotEqual ? Op::Ne
                      : f.op == Compare::Less     ? Op::Lt
                                                  : Op::Le;
        return ir::make_binary(p_, op, left, right, core::no_site);
      }
    }
    return truth(true);
  }

  template <class Body>
  void each_tuple(unsigned parameters, Slots& slots, bool different, const Body& body) {
    if (slots.size() == parameters) {
      poll();
      Slots copy = slots;
      body(copy);
      return;
    }
    for (unsigned k = 0; k < n_; ++k) {
      if (different && std::ranges::find(slots, k) != slots.end()) continue;
      slots.push_back(k);
      each_tuple(parameters, slots, different, body);
      slots.pop_back();
    }
  }
  template <class Body>
  void each_tuple(unsigned parameters, const Body& body, bool different = true) {
    Slots slots;
    each_tuple(parameters, slots, different, body);
  }

  ExprId some(const Block& b) {
    std::vector<ExprId> parts;
    each_tuple(b.parameters, [&](Slots& slots) { parts.push_back(formula(b.formula, slots, true)); });
    return join(Op::Or, std::move(parts));
  }

  // --- transitions

  struct Written {
    Cell target;
    ExprId condition = ir::no_expr;
    ExprId value = ir::no_expr;  // none: nothing is written
  };

  // What one cell may get: several alternatives only where a choice is open.
  std::vector<Written> alternatives(const Update& u, const Cell& target, Slots& slots) {
    std::vector<Written> all;
    ExprId before = truth(true);
    bool chooses = false;
    for (const Arm& arm : u.arms) {
      const ExprId here = formula(arm.condition, slots, true);
      const ExprId condition = join(Op::And, {before, here});
      if (!is(condition, false)) {
        if (arm.any) {
          chooses = true;
          const TypeId type = system_.symbols[u.symbol].type;
          result_.chosen = result_.chosen || unbounded(type);
          for (const std::int32_t v : domain(type)) all.push_back({target, condition, ir::make_const(p_, v)});
        } else {
          all.push_back({target, condition, term(arm.value, slots)});
        }
      }
      before = join(Op::And, {before, ir::make_unary(p_, Op::Not, here)});
      if (is(before, false)) break;
    }
    if (!is(before, false)) all.push_back({target, before, ir::no_expr});
    if (chooses || all.empty() || all.back().value == ir::no_expr) return all;
    // Every case writes: one value, condition · value + not condition · the rest.
    ExprId value = all.back().value;
    for (std::size_t i = all.size() - 1; i-- > 0;) {
      const ExprId yes =
          ir::make_binary(p_, Op::Mul, ir::make_binary(p_, Op::Ne, all[i].condition, truth(false), core::no_site),
                          all[i].value, core::no_site);
      const ExprId no =
          ir::make_binary(p_, Op::Mul, ir::make_unary(p_, Op::Not, all[i].condition), value, core::no_site);
      value = ir::make_binary(p_, Op::Add, yes, no, core::no_site);
    }
    return {{target, truth(true), value}};
  }

  void transition(std::size_t number) {
    const Transition& t = system_.transitions[number];
    core::SourcePlace place;
    place.file = system_.file;
    place.line = t.place.line;
    place.column = t.place.column;
    place.function = t.name;
    place.text = std::string(support::line_of(system_.text, t.place.line));
    const core::Site site = ir::add_site(p_, std::move(place));
    bool reads = reads_weak(system_, t.guard), writes = false;
    for (const Update& u : t.updates) {
      writes = writes || system_.symbols[u.symbol].weak;
      for (const Arm& a : u.arms)
        reads = reads || reads_weak(system_, a.condition) || (!a.any && reads_weak(system_, a.value));
    }
    const bool locked = reads && writes;
    each_tuple(t.parameters, [&](Slots& slots) {
      const Slots parameters = slots;
      std::vector<std::vector<Written>> cells;
      for (const Update& u : t.updates) {
        const auto range = [&](unsigned i) {
          std::vector<unsigned> r;
          if (u.args[i] == no_slot) r.push_back(0);
          else if (!u.bound[i]) r.push_back(process(u.args[i], slots));
          else
            for (unsigned k = 0; k < n_; ++k) r.push_back(k);
          return r;
        };
        for (const unsigned a : range(0))
          for (const unsigned b : range(1)) {
            for (unsigned i = 0; i < 2; ++i)
              if (u.bound[i]) {
                if (slots.size() <= u.args[i]) slots.resize(u.args[i] + 1U, 0);
                slots[u.args[i]] = i == 0 ? a : b;
              }
            cells.push_back(alternatives(u, cell(u.symbol, a, b), slots));
          }
      }
      // fence() may stand under a disjunction: with it as false the step does not wait.
      for (const bool fence : {true, false}) {
        if (!fence && !has_fence(t.guard)) break;
        ir::Edge edge;
        edge.process = t.actor == no_slot ? n_ : parameters[t.actor];
        edge.fence = locked || (fence && has_fence(t.guard));
        edge.site = site;
        std::vector<Written> chosen;
        combine(cells, 0, formula(t.guard, slots, fence), chosen,
                [&](ExprId guard) { add_edge(edge, guard, chosen, locked, number, parameters, t.place); });
      }
    });
  }

  template <class Found>
  void combine(const std::vector<std::vector<Written>>& cells, std::size_t at, ExprId guard,
               std::vector<Written>& chosen, const Found& found) {
    if (is(guard, false)) return;
    if (at == cells.size()) {
      found(guard);
      return;
    }
    for (const Written& w : cells[at]) {
      const bool written = w.value != ir::no_expr;
      if (written) chosen.push_back(w);
      combine(cells, at + 1, join(Op::And, {guard, w.condition}), chosen, found);
      if (written) chosen.pop_back();
    }
  }

  bool mentions(ExprId e, const Cell& c) const {
    if (e == ir::no_expr) return false;
    const ir::Expr& x = p_.expr(e);
    if (x.op == Op::Var && x.var == c.variable) return true;
    if (x.op == Op::Index && x.var == c.variable && static_cast<std::uint32_t>(p_.expr(x.left).value) == c.index)
      return true;
    return mentions(x.left, c) || mentions(x.right, c);
  }

  std::uint32_t scratch(std::uint32_t process, std::size_t k) {
    auto& list = scratch_[process];
    while (list.size() <= k) list.push_back(variable("new" + std::to_string(list.size()), process, ir::Type::Short, 0));
    return list[k];
  }

  ir::Assignment assignment(const Cell& c, ExprId value, core::Site site, bool atomic) {
    ir::Assignment a;
    a.var = c.variable;
    if (p_.variables[c.variable].array) a.index = ir::make_const(p_, static_cast<std::int32_t>(c.index));
    a.value = value;
    a.site = site;
    a.atomic = atomic && p_.variables[c.variable].process == ir::none;
    return a;
  }

  void add_edge(ir::Edge edge, ExprId guard, std::vector<Written> writes, bool locked, std::size_t number,
                const Slots& parameters, Place place) {
    poll();
    if (p_.edges.size() >= max_edges)
      throw Refusal{place, "the instance has more than " + std::to_string(max_edges) + " transitions"};
    if (!is(guard, true)) edge.guard = guard;
    std::ranges::sort(writes, {}, &Written::target);
    // Assignments are simultaneous: a value that would see one of them is saved first.
    std::vector<ir::Assignment> reset;
    for (std::size_t i = 0; i < writes.size(); ++i) {
      const bool seen = std::any_of(writes.begin(), writes.begin() + static_cast<std::ptrdiff_t>(i),
                                    [&](const Written& w) { return mentions(writes[i].value, w.target); });
      if (!seen) continue;
      const Cell aside{scratch(edge.process, reset.size()), 0};
      edge.effects.push_back(assignment(aside, writes[i].value, edge.site, false));
      reset.push_back(assignment(aside, ir::make_const(p_, 0), edge.site, false));
      writes[i].value = read(aside);
    }
    for (const Written& w : writes) edge.effects.push_back(assignment(w.target, w.value, edge.site, locked));
    edge.effects.insert(edge.effects.end(), reset.begin(), reset.end());
    result_.origins.push_back({static_cast<std::uint32_t>(number), {parameters.begin(), parameters.end()}});
    put(std::move(edge));
  }

  void put(ir::Edge edge) {
    ir::Process& process = p_.processes[edge.process];
    edge.number = static_cast<std::uint32_t>(process.edges.size());
    process.edges.push_back(static_cast<std::uint32_t>(p_.edges.size()));
    p_.edges.push_back(std::move(edge));
  }

  // --- initial states

  // Whether the text names this value; all values of other types than numbers count.
  bool named(std::int32_t value, ir::Type type) const {
    return type != ir::Type::Short || std::ranges::any_of(constants_, [&](const Rational& r) {
             return r.num == value * r.den || r.num * unit_ == value * r.den;
           });
  }

  void initial() {
    std::vector<OpenCell> cells;
    for (std::size_t s = 0; s < system_.symbols.size(); ++s) {
      const Symbol& symbol = system_.symbols[s];
      const unsigned as = symbol.arity > 0 ? n_ : 1, bs = symbol.arity > 1 ? n_ : 1;
      for (unsigned a = 0; a < as; ++a)
        for (unsigned b = 0; b < bs; ++b)
          cells.push_back({cell(static_cast<SymbolId>(s), a, b), domain(symbol.type), unbounded(symbol.type)});
    }
    std::vector<ExprId> conditions;
    each_tuple(
        system_.init.parameters,
        [&](Slots& slots) { conditions.push_back(formula(system_.init.formula, slots, true)); }, false);
    InitialStates found = initial_states(p_, cells, conditions, max_initial, [this] { poll(); });
    if (found.too_many && found.chosen) {  // then without the neighbours of numbers
      for (OpenCell& c : cells)
        if (c.unbounded)
          std::erase_if(c.domain, [&](std::int32_t v) { return !named(v, p_.variables[c.cell.variable].type); });
      found = initial_states(p_, cells, conditions, max_initial, [this] { poll(); });
    }
    if (found.too_many)
      throw Refusal{system_.init.place,
                    "the instance has more than " + std::to_string(max_initial) + " initial states"};
    result_.chosen = result_.chosen || found.chosen;
    result_.initial_states = found.states.size();
    if (found.states.empty())
      throw Refusal{system_.init.place, found.chosen ? "no initial state was found: init does not fix its numbers"
                                                     : "there is no initial state"};

    std::vector<bool> varies(cells.size(), false);
    for (const auto& state : found.states)
      for (std::size_t c = 0; c < cells.size(); ++c) varies[c] = varies[c] || state[c] != found.states[0][c];
    for (std::size_t c = 0; c < cells.size(); ++c)
      if (!varies[c]) p_.variables[cells[c].cell.variable].initial[cells[c].cell.index] = found.states[0][c];
    // A single initial state needs no step that chooses it, unless an assumption may exclude it.
    if (found.states.size() == 1 && p_.assumptions.empty()) return;
    ir::Process& process = p_.processes[n_];
    process.states.resize(2);
    process.states[1] = process.states[0];
    process.states[0] = {};
    process.states[0].name = "begin";
    process.states[0].commit = true;
    // Before that step there is no state of the system yet, and nothing to judge.
    for (ir::Proposition& unsafe : p_.propositions)
      unsafe.condition = join(Op::And, {ir::make_in_state(p_, n_, 1), unsafe.condition});
    for (ir::Edge& e : p_.edges)
      if (e.process == n_) e.source = e.target = 1;
    for (const auto& state : found.states) {
      ir::Edge edge;
      edge.process = n_;
      edge.target = 1;
      for (std::size_t c = 0; c < cells.size(); ++c)
        if (varies[c])
          edge.effects.push_back(assignment(cells[c].cell, ir::make_const(p_, state[c]), core::no_site, true));
      result_.origins.push_back({});
      put(std::move(edge));
    }
  }

  const System& system_;
  const unsigned n_;
  const core::Budget* const budget_;
  std::uint64_t polls_ = 0;
  Instance result_;
  ir::Program& p_;
  std::vector<std::vector<std::uint32_t>> first_;                      // by symbol: its variables
  std::vector<std::vector<std::uint32_t>> scratch_{max_instance + 1};  // by process
  std::vector<Rational> constants_;
  std::set<std::int64_t> whole_, real_;  // what is chosen from; reals in 1/unit_
  std::int64_t unit_ = 1;                // reals are counted in 1/unit_
};

}  // namespace

support::Result<Instance> instantiate(const System& system, unsigned processes, const core::Budget* budget) {
  try {
    return Lowering(system, processes, budget).run();
  } catch (const Stopped& stopped) {
    return core::stopped_at(system.file, stopped.why.text);
  } catch (const Refusal& r) {
    support::Diagnostic d;
    d.file = system.file;
    d.line = r.place.line;
    d.column = r.place.column;
    d.message = r.message;
    if (r.place.line != 0) d.source_line = std::string(support::line_of(system.text, r.place.line));
    return d;
  }
}

}  // namespace heddle::cubicle
