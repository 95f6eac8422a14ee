// SPDX-License-Identifier: Apache-2.0
#include "array/system.h"

#include <algorithm>
#include <numeric>
#include <optional>

namespace heddle::array {

namespace {

using cubicle::Formula;

constexpr std::size_t max_cases = 2048;

struct Beyond {
  cubicle::Place place;
  std::string what;
};

Beyond too_large(cubicle::Place place) {
  return {place, "this formula has more than " + std::to_string(max_cases) + " cases"};
}

class Compiler {
 public:
  explicit Compiler(const cubicle::System& source) : source_(source) {}

  System run() {
    try {
      return compile();
    } catch (const OutOfRange& e) {
      throw Beyond{at_, e.what};
    }
  }

 private:
  System compile() {
    System system;
    system.source = &source_;
    for (const cubicle::Transition& t : source_.transitions) system.transitions.push_back(transition(t));
    actor_ = cubicle::no_slot;
    system.init_parameters = source_.init.parameters;
    weak_as_cells_ = true;
    system.init = cases(source_.init.formula, true);
    weak_as_cells_ = false;
    for (const cubicle::Block& b : source_.unsafe)
      system.unsafe.push_back({b.name, b.parameters, cases(b.formula, true)});
    for (const cubicle::Block& b : source_.invariants)
      system.invariants.push_back({b.name, b.parameters, cases(b.formula, true)});
    for (const cubicle::Block& b : source_.candidates)
      system.candidates.push_back({b.name, b.parameters, cases(b.formula, true)});
    for (const Transition& t : system.transitions) {
      for (const Case& g : t.guards) system.universal_guards = system.universal_guards || !g.universals.empty();
      for (const Update& u : t.weak) {
        if (!u.bound[0] && !u.bound[1]) continue;
        system.writes_everywhere = true;
        system.pure_writes_everywhere = system.pure_writes_everywhere || !t.reads_weak;
      }
    }
    find_patterns(system);
    return system;
  }

  Transition transition(const cubicle::Transition& t) {
    Transition result;
    result.name = t.name;
    result.parameters = t.parameters;
    result.actor = actor_ = t.actor;
    reads_weak_ = false;
    result.guards = cases(t.guard, true);
    for (const cubicle::Update& u : t.updates) {
      const bool weak = source_.symbols[u.symbol].weak;
      (weak ? result.weak : result.plain).push_back(update(u));
      result.writes_weak = result.writes_weak || weak;
    }
    result.reads_weak = reads_weak_;
    return result;
  }

  Update update(const cubicle::Update& u) {
    Update result;
    at_ = u.place;
    result.symbol = u.symbol;
    const cubicle::Type& type = source_.types[source_.symbols[u.symbol].type];
    for (int i = 0; i < 2; ++i) {
      result.args[static_cast<std::size_t>(i)] = u.args[i];
      result.bound[static_cast<std::size_t>(i)] = u.bound[i];
    }
    // Arm k applies if its condition holds and none before it does.
    Formula before;
    before.kind = Formula::Kind::And;
    bool total = false;
    for (const cubicle::Arm& arm : u.arms) {
      Formula here = before;
      here.children.push_back(arm.condition);
      for (Case& c : cases(here, true)) {
        UpdateCase uc;
        uc.condition = c.constraints;
        if (!arm.any) {
          uc.value = sum(arm.value);
          result.cases.push_back(uc);
        } else if (type.kind == cubicle::Type::Kind::Enumeration) {
          for (std::size_t v = 0; v < type.constructors.size(); ++v) {
            uc.value = Sum::constant(static_cast<std::int64_t>(v));
            result.cases.push_back(uc);
          }
        } else {
          uc.kind = UpdateCase::Kind::Any;
          result.cases.push_back(uc);
        }
        if (result.cases.size() > max_cases) throw too_large(u.place);
      }
      total = total || arm.condition.kind == Formula::Kind::True;
      Formula no;
      no.kind = Formula::Kind::Not;
      no.children.push_back(arm.condition);
      before.children.push_back(std::move(no));
    }
    if (!total)
      for (Case& c : cases(before, true)) {
        UpdateCase uc;
        uc.condition = c.constraints;
        uc.kind = UpdateCase::Kind::Keep;
        result.cases.push_back(std::move(uc));
      }
    return result;
  }

  // Disjunctive normal form of the formula, or of its negation.
  std::vector<Case> cases(const Formula& f, bool positive) {
    switch (f.kind) {
      case Formula::Kind::True:
      case Formula::Kind::False:
        return (f.kind == Formula::Kind::True) == positive ? std::vector<Case>{Case{}} : std::vector<Case>{};
      case Formula::Kind::Fence: {
        Case c;
        c.fence = true;
        return {c};
      }
      case Formula::Kind::Not: return cases(f.children[0], !positive);
      case Formula::Kind::Atom: return atom(f, positive);
      case Formula::Kind::And:
      case Formula::Kind::Or: {
        const bool product = (f.kind == Formula::Kind::And) == positive;
        std::vector<Case> result;
        if (product) result.emplace_back();
        for (const Formula& child : f.children) {
          std::vector<Case> part = cases(child, positive);
          if (!product) {
            std::move(part.begin(), part.end(), std::back_inserter(result));
          } else {
            if (part.size() == 1) {  // long conjunctions grow in place
              for (Case& a : result) append(a, part[0]);
              continue;
            }
            std::vector<Case> joined;
            if (result.size() * part.size() > max_cases) throw too_large(f.place);
            for (const Case& a : result)
              for (const Case& b : part) joined.push_back(join(a, b));
            result = std::move(joined);
          }
          if (result.size() > max_cases) throw too_large(f.place);
        }
        return result;
      }
      case Formula::Kind::Forall:
      case Formula::Kind::Exists: {
        const BoundSlot bound{f.bound, f.excluded};
        std::vector<Case> body = cases(f.children[0], positive);
        if ((f.kind == Formula::Kind::Exists) == positive) {
          for (Case& c : body) c.exists.insert(c.exists.begin(), bound);  // inner ones may exclude it
          return body;
        }
        Case c;
        Universal u;
        u.bound = bound;
        for (Case& b : body) {
          if (!b.universals.empty() || !b.exists.empty())
            throw Beyond{f.place, "a guard for all pairs of processes is beyond the search for any number of them"};
          u.cases.push_back(std::move(b.constraints));
        }
        c.universals.push_back(std::move(u));
        return {c};
      }
    }
    return {};
  }

  static void append(Case& a, const Case& b) {
    a.constraints.insert(a.constraints.end(), b.constraints.begin(), b.constraints.end());
    a.exists.insert(a.exists.end(), b.exists.begin(), b.exists.end());
    a.universals.insert(a.universals.end(), b.universals.begin(), b.universals.end());
    a.fence = a.fence || b.fence;
  }
  static Case join(Case a, const Case& b) {
    append(a, b);
    return a;
  }

  std::vector<Case> atom(const Formula& f, bool positive) {
    Constraint c;
    at_ = f.place;
    c.sum = sum(f.terms[0]);
    c.sum.add(sum(f.terms[1]), -1);
    const bool integer = f.terms[0].type == cubicle::type_int;
    switch (f.op) {
      case cubicle::Compare::Equal: c.op = positive ? logic::Op::Equal : logic::Op::NotEqual; break;
      case cubicle::Compare::NotEqual: c.op = positive ? logic::Op::NotEqual : logic::Op::Equal; break;
      case cubicle::Compare::Less:
      case cubicle::Compare::LessEqual: {
        const bool strict = (f.op == cubicle::Compare::Less) == positive;
        if (!positive) {
          Sum turned;
          turned.add(c.sum, -1);
          c.sum = turned;
        }
        c.op = strict && !integer ? logic::Op::LessThan : logic::Op::LessEqual;
        if (strict && integer) c.sum.c += c.sum.den;
        break;
      }
    }
    Case result;
    result.constraints.push_back(c);
    return {result};
  }

  Sum sum(const cubicle::Term& t) {
    switch (t.kind) {
      case cubicle::Term::Kind::Constructor: return Sum::constant(t.constructor);
      case cubicle::Term::Kind::Process: return Sum::of(Atom::process(t.process));
      case cubicle::Term::Kind::Access:
      case cubicle::Term::Kind::Linear: break;
    }
    Sum result = Sum::constant(t.constant.num);
    result.den = t.constant.den;
    for (const cubicle::Monomial& m : t.monomials) {
      Sum part = Sum::of(access(m.access));
      part.den = m.factor.den;
      result.add(part, m.factor.num);
    }
    return result;
  }

  Atom access(const cubicle::Access& a) {
    if (!source_.symbols[a.symbol].weak || weak_as_cells_) return Atom::cell(a.symbol, a.args[0], a.args[1]);
    reads_weak_ = true;
    return Atom::read(a.symbol, a.args[0], a.args[1], new_node, a.viewer != cubicle::no_slot ? a.viewer : actor_);
  }

  // A cell of an array that every transition writes at its own process only is written by one process for ever.
  void find_patterns(System& system) const {
    std::vector<bool> shared(source_.symbols.size(), false);
    for (const Transition& t : system.transitions)
      for (const Update& u : t.weak)
        if (u.bound[0] || u.bound[1] || u.args[0] != t.actor) shared[u.symbol] = true;
    for (std::size_t i = 0; i < system.transitions.size(); ++i) {
      const Transition& t = system.transitions[i];
      if (t.reads_weak || !t.writes_weak) continue;
      if (std::any_of(t.weak.begin(), t.weak.end(), [](const Update& u) { return u.bound[0] || u.bound[1]; })) continue;
      // Each cell that a `case` may leave alone is written or not.
      std::vector<std::vector<const Update*>> choices{{}};
      for (const Update& u : t.weak) {
        const std::size_t without = may_keep(u) ? choices.size() : 0;
        if (choices.size() + without > max_cases) throw too_large(source_.transitions[i].place);
        for (std::size_t k = 0; k < without; ++k) choices.push_back(choices[k]);
        for (std::size_t k = without; k < choices.size(); ++k) choices[k].push_back(&u);
      }
      for (const auto& written : choices)
        if (std::any_of(written.begin(), written.end(), [&](const Update* u) { return shared[u->symbol]; }))
          add_pattern(system, t, written);
    }
  }

  static bool may_keep(const Update& u) {
    return std::any_of(u.cases.begin(), u.cases.end(),
                       [](const UpdateCase& c) { return c.kind == UpdateCase::Kind::Keep; });
  }

  void add_pattern(System& system, const Transition& t, const std::vector<const Update*>& written) const {
    WritePattern p;
    p.parameters = t.parameters;
    p.actor = t.actor;
    for (const Update* u : written) {
      WritePattern::Cell cell{u->symbol, u->args, std::nullopt};
      const bool fixed = u->cases.size() == 1 && u->cases[0].kind == UpdateCase::Kind::Value &&
                         std::all_of(u->cases[0].value.begin(), u->cases[0].value.end(),
                                     [](const Sum::Term& m) { return m.atom.is_process(); });
      if (fixed) cell.value = u->cases[0].value;
      p.cells.push_back(std::move(cell));
    }
    // A promise has processes for the parameters and the named ones, none for the variables of quantifiers.
    const auto known = [&](Process slot) {
      return slot == no_process || slot < t.parameters || slot >= cubicle::first_concrete;
    };
    if (t.guards.size() == 1)
      for (const Constraint& c : t.guards[0].constraints)
        if (std::all_of(c.sum.begin(), c.sum.end(), [&](const Sum::Term& m) {
              if (m.atom.is_process()) return m.atom.a() < t.parameters;
              return m.atom.is_cell() && source_.symbols[m.atom.symbol()].constant && known(m.atom.a()) &&
                     known(m.atom.b());
            }))
          p.constants.push_back(c);
    const auto same_sum = [](const Sum& a, const Sum& b) {
      return a.c == b.c && a.den == b.den &&
             std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const Sum::Term& x, const Sum::Term& y) {
               return x.atom == y.atom && x.factor == y.factor;
             });
    };
    const auto alike = [&](const WritePattern::Cell& c, const WritePattern::Cell& d) {
      return c.symbol == d.symbol && c.args == d.args && c.value.has_value() == d.value.has_value() &&
             (!c.value || same_sum(*c.value, *d.value));
    };
    const auto same_constraint = [&](const Constraint& c, const Constraint& d) {
      return c.op == d.op && same_sum(c.sum, d.sum);
    };
    const bool listed = std::any_of(system.patterns.begin(), system.patterns.end(), [&](const WritePattern& q) {
      return q.actor == p.actor && q.parameters == p.parameters &&
             std::equal(q.cells.begin(), q.cells.end(), p.cells.begin(), p.cells.end(), alike) &&
             std::equal(q.constants.begin(), q.constants.end(), p.constants.begin(), p.constants.end(),
                        same_constraint);
    });
    // Some other pure write must be able to overtake it: one that need not share a scalar with it.
    const bool overtaken = std::any_of(system.transitions.begin(), system.transitions.end(), [&](const Transition& o) {
      if (o.reads_weak || !o.writes_weak) return false;
      for (const Update& u : o.weak)
        for (const WritePattern::Cell& c : p.cells)
          if (u.symbol == c.symbol && c.args[0] == cubicle::no_slot && !may_keep(u)) return false;
      return true;
    });
    if (overtaken && !listed) system.patterns.push_back(std::move(p));
  }

  const cubicle::System& source_;
  Slot actor_ = cubicle::no_slot;
  bool reads_weak_ = false;
  bool weak_as_cells_ = false;
  cubicle::Place at_;  // of the comparison or assignment in hand
};

}  // namespace

support::Result<System> compile(const cubicle::System& source) {
  try {
    return Compiler(source).run();
  } catch (const Beyond& t) {
    support::Diagnostic d;
    d.file = source.file;
    d.line = t.place.line;
    d.column = t.place.column;
    d.message = t.what;
    d.source_line = std::string(support::line_of(source.text, t.place.line));
    return d;
  }
}

Atom instantiate(Atom atom, const Instance& instance) {
  const auto of = [&](Process slot) { return slot == no_process ? no_process : instance[slot]; };
  switch (atom.kind()) {
    case Atom::Kind::Cell: return Atom::cell(atom.symbol(), of(atom.a()), of(atom.b()));
    case Atom::Kind::Read: return Atom::read(atom.symbol(), of(atom.a()), of(atom.b()), atom.node(), of(atom.reader()));
    case Atom::Kind::Promise: return Atom::promise(atom.symbol(), of(atom.a()), of(atom.b()), atom.node());
    case Atom::Kind::Special: return atom.is_process() ? Atom::process(of(atom.a())) : atom;
  }
  return atom;
}

Sum instantiate(const Sum& sum, const Instance& instance) {
  Sum result = Sum::constant(sum.c);
  for (const Sum::Term& t : sum) result.add(instantiate(t.atom, instance), t.factor);
  result.den = sum.den;
  return result;
}

Constraint instantiate(const Constraint& c, const Instance& instance) { return {c.op, instantiate(c.sum, instance)}; }

}  // namespace heddle::array
