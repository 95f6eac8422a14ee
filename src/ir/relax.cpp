// SPDX-License-Identifier: Apache-2.0
#include "ir/relax.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "ir/build.h"
#include "ir/footprint.h"

namespace heddle::ir {
namespace {

constexpr std::size_t most_copies = 4096;  // of one transition

struct Slot {
  std::uint32_t value = none, full = none;  // variables
};

// The program in the making, and what all its edges share.
struct Target {
  const Program& old;
  const RelaxOptions& options;
  Program now;
  std::vector<std::map<std::uint32_t, Slot>> slots;  // by process, by shared variable
  std::vector<std::set<std::uint32_t>> cells;        // by process: flat indices that have a slot
  std::map<std::string, std::uint32_t> temporaries;  // by name

  std::string fresh_name(std::string name) const {
    const auto taken = [&](const std::string& n) {
      const auto called = [&](const auto& x) { return x.name == n; };
      return std::ranges::any_of(now.variables, called) || std::ranges::any_of(now.processes, called) ||
             std::ranges::any_of(now.channels, called) || std::ranges::any_of(now.constants_named, called) ||
             std::ranges::any_of(now.processes,
                                 [&](const Process& p) { return std::ranges::any_of(p.states, called); });
    };
    while (taken(name)) name += "_";
    return name;
  }
  std::uint32_t add_variable(const std::string& name, Type type, bool array, std::uint32_t length) {
    Variable v;
    v.name = fresh_name(name);
    v.type = type;
    v.array = array;
    v.length = length;
    v.initial.assign(length, 0);
    now.variables.push_back(std::move(v));
    return static_cast<std::uint32_t>(now.variables.size() - 1);
  }
  // A variable that is zero between steps.
  std::uint32_t temporary(const std::string& name) {
    const auto [at, fresh] = temporaries.try_emplace(name, none);
    if (fresh) at->second = add_variable(name, Type::Short, false, 1);
    return at->second;
  }
  bool shared(std::uint32_t var) const { return old.variables[var].process == none && !old.variables[var].constant; }
  ExprId number(std::int32_t value) { return make_const(now, value); }
  // `var` or `var[index]`, as the variable is.
  ExprId read(std::uint32_t var, ExprId index, core::Site site = core::no_site) {
    return now.variables[var].array ? make_index(now, var, index, site) : make_var(now, var);
  }
  Assignment assign(std::uint32_t var, ExprId index, ExprId value) const {
    return {var, now.variables[var].array ? index : no_expr, value, false, core::no_site};
  }
};

// One copy of one edge. Its choices are dealt out by the caller: a choice that has not been made yet takes option 0,
// and tells how many options it has.
class Copy {
 public:
  Copy(Target& target, const Edge& edge, std::vector<std::size_t>& chosen, std::vector<std::size_t>& options)
      : t_(target), edge_(edge), chosen_(chosen), options_(options) {}

  Edge make() {
    Edge result;
    result.process = edge_.process;
    result.source = edge_.source;
    result.target = edge_.target;
    result.sync = edge_.sync;
    result.channel = edge_.channel;
    result.site = edge_.site;
    const ExprId guard = edge_.guard == no_expr ? no_expr : see(edge_.guard);
    const bool buffered = edge_.sync != Sync::None && t_.old.channels[edge_.channel].capacity != 0;
    const auto send = [&] {
      for (const ExprId value : edge_.values) result.values.push_back(see(value));
    };
    if (edge_.sync == Sync::Send && !buffered) send();
    receive(result);
    for (const Assignment& a : edge_.effects) store(a, see(a.value), result.effects);
    result.effects.insert(result.effects.end(), resets_.begin(), resets_.end());
    if (edge_.sync == Sync::Send && buffered) send();
    if (edge_.fence)
      for (const auto& [var, slot] : slots())
        for (std::uint32_t i = 0; i < t_.old.variables[var].length; ++i)
          if (has_slot(t_.old.variables[var].base + i)) require(full(slot, i), false);
    // The choices first: they never fail, and the guard of a copy that was not chosen could.
    result.guard = conditions_;
    if (guard != no_expr) result.guard = conditions_ == no_expr ? guard : both(conditions_, guard);
    return result;
  }

  // A condition in the process's view at rest.
  ExprId see_at_rest(ExprId e) {
    at_rest_ = true;
    return see(e);
  }

 private:
  enum class Place : std::uint8_t { Slot, Memory };  // where the newest value of a cell certainly is

  const std::map<std::uint32_t, Slot>& slots() const { return t_.slots[edge_.process]; }
  bool has_slot(std::uint32_t cell) const { return t_.cells[edge_.process].contains(cell); }
  ExprId both(ExprId a, ExprId b) { return make_binary(t_.now, Op::And, a, b, core::no_site); }
  ExprId full(const Slot& slot, std::uint32_t cell) {
    return t_.read(slot.full, t_.number(static_cast<std::int32_t>(cell)));
  }
  void require(ExprId condition, bool value) {
    if (!value) condition = make_unary(t_.now, Op::Not, condition);
    conditions_ = conditions_ == no_expr ? condition : both(conditions_, condition);
  }
  std::size_t choose(std::size_t options) {
    if (next_ == chosen_.size()) {
      chosen_.push_back(0);
      options_.push_back(options);
    }
    return chosen_[next_++];
  }

  ExprId see(ExprId id) {
    if (id == no_expr) return no_expr;
    const Expr e = t_.now.expr(id);
    switch (e.op) {
      case Op::Const:
      case Op::InState: return id;
      case Op::Var:
      case Op::Index: return see_variable(e, id);
      default: break;
    }
    const ExprId left = see(e.left), right = see(e.right);
    if (right == no_expr) return make_unary(t_.now, e.op, left);
    return make_binary(t_.now, e.op, left, right, e.site);
  }

  ExprId see_variable(const Expr& e, ExprId id) {
    const ExprId index = see(e.left);
    const ExprId memory = e.op == Op::Var ? id : make_index(t_.now, e.var, index, e.site);
    const auto found = t_.shared(e.var) ? slots().find(e.var) : slots().end();
    if (found == slots().end()) return memory;
    const Slot slot = found->second;
    const ExprId value = t_.read(slot.value, index, e.site);
    if (const auto cell = constant_cell(e.var, e.left)) {
      if (!has_slot(*cell)) return memory;
      if (const auto known = known_.find(*cell); known != known_.end())
        return known->second == Place::Slot ? value : memory;
      if (!by_arithmetic() && !uncertain_.contains(e.var)) {
        const auto [at, fresh] = cell_choices_.try_emplace(*cell, 0);
        if (fresh) {
          at->second = choose(2);
          require(full(slot, *cell - t_.old.variables[e.var].base), at->second == 1);
        }
        return at->second == 1 ? value : memory;
      }
    } else if (!by_arithmetic() && !touched(e.var) && plain(e.left)) {
      return see_at(e, slot, index, memory);
    }
    const ExprId empty = make_binary(t_.now, Op::Sub, t_.number(1), t_.read(slot.full, index, e.site), core::no_site);
    return make_binary(t_.now, Op::Add, value, make_binary(t_.now, Op::Mul, empty, memory, core::no_site),
                       core::no_site);
  }

  // A read at an index that is known at run time only: a choice for each cell with a slot, and one for none of them.
  ExprId see_at(const Expr& e, const Slot& slot, ExprId index, ExprId memory) {
    const Variable& v = t_.old.variables[e.var];
    std::vector<std::uint32_t> with_slot;
    for (std::uint32_t i = 0; i < v.length; ++i)
      if (has_slot(v.base + i)) with_slot.push_back(i);
    const auto is_full = [&](std::uint32_t i) {
      const ExprId here = make_binary(t_.now, Op::Eq, index, t_.number(static_cast<std::int32_t>(i)), core::no_site);
      return both(here, full(slot, i));
    };
    const auto [at, fresh] = index_choices_.try_emplace({e.var, t_.now.show(index)}, 0);
    if (fresh) {
      at->second = choose(with_slot.size() + 1);
      if (at->second > 0) require(is_full(with_slot[at->second - 1]), true);
      else
        for (const std::uint32_t i : with_slot) require(is_full(i), false);
    }
    if (at->second == 0) return memory;
    return t_.read(slot.value, t_.number(static_cast<std::int32_t>(with_slot[at->second - 1])), e.site);
  }

  bool by_arithmetic() const { return at_rest_ || t_.options.compact; }
  bool touched(std::uint32_t var) const { return changed_.contains(var); }
  // Reads nothing that this step has changed, and cannot fail.
  bool plain(ExprId id) const {
    if (id == no_expr) return true;
    const Expr& e = t_.now.expr(id);
    if ((e.op == Op::Var || e.op == Op::Index) && touched(e.var)) return false;
    if (e.op == Op::Index && !constant_cell(e.var, e.left)) return false;
    if (e.op == Op::Div || e.op == Op::Mod) {
      const Expr& divisor = t_.now.expr(e.right);
      if (divisor.op != Op::Const || divisor.value == 0) return false;
    }
    return plain(e.left) && plain(e.right);
  }
  bool reads(ExprId id, const std::set<std::uint32_t>& vars) const {
    if (id == no_expr) return false;
    const Expr& e = t_.now.expr(id);
    if ((e.op == Op::Var || e.op == Op::Index) && vars.contains(e.var)) return true;
    return reads(e.left, vars) || reads(e.right, vars);
  }
  // The flat index of `var[index]` in the old program, if that is known before the run.
  std::optional<std::uint32_t> constant_cell(std::uint32_t var, ExprId index) const {
    const Variable& v = t_.old.variables[var];
    if (index == no_expr) return v.base;
    const Expr& e = t_.now.expr(index);
    if (e.op != Op::Const || e.value < 0 || static_cast<std::uint32_t>(e.value) >= v.length) return std::nullopt;
    return v.base + static_cast<std::uint32_t>(e.value);
  }

  // What the newest value's place is after a store.
  void settle(const Assignment& a, Place place) {
    changed_.insert(a.var);
    if (const auto cell = constant_cell(a.var, a.index)) {
      known_[*cell] = place;
      return;
    }
    uncertain_.insert(a.var);
    const Variable& v = t_.old.variables[a.var];
    for (std::uint32_t i = 0; i < v.length; ++i)
      if (const auto known = known_.find(v.base + i); known != known_.end() && known->second != place)
        known_.erase(known);
  }

  void store(const Assignment& a, ExprId value, std::vector<Assignment>& out) {
    ExprId index = see(a.index);
    const auto found = t_.shared(a.var) ? slots().find(a.var) : slots().end();
    const auto cell = constant_cell(a.var, a.index);
    if (found == slots().end() || (cell && !has_slot(*cell))) {  // a local, or nothing is ever buffered there
      Assignment plain_store = a;
      plain_store.atomic = false;
      plain_store.index = index;
      plain_store.value = value;
      out.push_back(plain_store);
      changed_.insert(a.var);
      return;
    }
    const Slot slot = found->second;
    // The index is written out two or three times; if the first assignment could change it, it is kept aside.
    const bool aside = reads(index, {a.var, slot.value, slot.full});
    std::uint32_t keeper = none;
    if (aside) {
      keeper = t_.temporary("relax_index");
      out.push_back(t_.assign(keeper, no_expr, index));
      index = make_var(t_.now, keeper);
    }
    if (a.atomic) {
      out.push_back(t_.assign(a.var, index, value));
      out.back().site = a.site;
      out.push_back(t_.assign(slot.value, index, t_.number(0)));
      out.push_back(t_.assign(slot.full, index, t_.number(0)));
    } else {
      out.push_back(t_.assign(slot.value, index, value));
      out.back().site = a.site;
      out.push_back(t_.assign(slot.full, index, t_.number(1)));
    }
    if (aside) out.push_back(t_.assign(keeper, no_expr, t_.number(0)));
    settle(a, a.atomic ? Place::Memory : Place::Slot);
  }

  // Targets of a receive: straight into slots where that is one assignment, else through temporaries.
  void receive(Edge& result) {
    std::set<std::uint32_t> received;
    for (const Assignment& a : edge_.targets) received.insert(a.var);
    const bool through = std::ranges::any_of(edge_.targets, [&](const Assignment& a) {
      return a.index != no_expr && (reads(a.index, received) || (t_.shared(a.var) && !constant_cell(a.var, a.index)));
    });
    for (std::size_t i = 0; i < edge_.targets.size(); ++i) {
      const Assignment& a = edge_.targets[i];
      if (through) {
        const std::uint32_t keeper = t_.temporary(fmt::format("relax_message_{}", i));
        result.targets.push_back({keeper, no_expr, no_expr, false, a.site});
        store(a, make_var(t_.now, keeper), result.effects);
        resets_.push_back(t_.assign(keeper, no_expr, t_.number(0)));
        continue;
      }
      Assignment direct = a;
      direct.atomic = false;
      direct.index = see(a.index);
      const auto found = t_.shared(a.var) ? slots().find(a.var) : slots().end();
      const auto cell = constant_cell(a.var, a.index);
      changed_.insert(a.var);
      if (found != slots().end() && cell && has_slot(*cell)) {
        const Slot slot = found->second;
        if (!a.atomic) direct.var = slot.value;
        else result.effects.push_back(t_.assign(slot.value, a.index, t_.number(0)));
        result.effects.push_back(t_.assign(slot.full, a.index, t_.number(a.atomic ? 0 : 1)));
        settle(a, a.atomic ? Place::Memory : Place::Slot);
      }
      result.targets.push_back(direct);
    }
  }

  Target& t_;
  const Edge& edge_;
  std::vector<std::size_t>&chosen_, &options_;
  std::size_t next_ = 0;
  bool at_rest_ = false;
  ExprId conditions_ = no_expr;
  std::map<std::uint32_t, std::size_t> cell_choices_;  // by cell: 1 for its slot
  std::map<std::pair<std::uint32_t, std::string>, std::size_t> index_choices_;
  std::map<std::uint32_t, Place> known_;  // by cell
  std::set<std::uint32_t> uncertain_;     // variables that the step stored to at an index that is not known
  std::set<std::uint32_t> changed_;       // variables
  std::vector<Assignment> resets_;
};

void add_slots(Target& t) {
  const Program& old = t.old;
  t.slots.resize(old.processes.size());
  t.cells.resize(old.processes.size());
  for (std::uint32_t p = 0; p < old.processes.size(); ++p)
    for (const std::uint32_t e : old.processes[p].edges)
      for (const auto* list : {&old.edges[e].targets, &old.edges[e].effects})
        for (const Assignment& a : *list) {
          const Variable& v = old.variables[a.var];
          if (!t.shared(a.var) || a.atomic) continue;
          const bool constant = a.index != no_expr && old.expr(a.index).op == Op::Const;
          for (std::uint32_t i = 0; i < v.length; ++i)
            if (!constant || old.expr(a.index).value == static_cast<std::int32_t>(i)) t.cells[p].insert(v.base + i);
        }
  for (std::uint32_t var = 0; var < old.variables.size(); ++var) {
    const Variable& v = old.variables[var];
    if (!t.shared(var)) continue;
    for (std::uint32_t p = 0; p < old.processes.size(); ++p) {
      if (t.options.every_slot)
        for (std::uint32_t i = 0; i < v.length; ++i) t.cells[p].insert(v.base + i);
      const auto first = t.cells[p].lower_bound(v.base);
      if (first == t.cells[p].end() || *first >= v.base + v.length) continue;
      const std::string& name = old.processes[p].name;
      Slot slot;
      slot.value = t.add_variable(fmt::format("sb_{}_{}", v.name, name), v.type, v.array, v.length);
      slot.full = t.add_variable(fmt::format("i_{}_{}", v.name, name), Type::Byte, v.array, v.length);
      t.slots[p][var] = slot;
    }
  }
}

// The memory-model process: any full slot goes to memory.
void add_memory_process(Target& t) {
  const auto number = static_cast<std::uint32_t>(t.now.processes.size());
  Process memory;
  memory.name = t.fresh_name("MM");
  memory.states.push_back({"q0", false, false, {}, {}, {}});
  t.now.processes.push_back(memory);
  for (std::uint32_t var = 0; var < t.old.variables.size(); ++var) {
    const Variable& v = t.old.variables[var];
    for (std::uint32_t i = 0; i < v.length; ++i)
      for (std::uint32_t p = 0; p < t.old.processes.size(); ++p) {
        const auto found = t.slots[p].find(var);
        if (found == t.slots[p].end() || !t.cells[p].contains(v.base + i)) continue;
        const Slot slot = found->second;
        const auto index = [&] { return v.array ? t.number(static_cast<std::int32_t>(i)) : no_expr; };
        Edge edge;
        edge.process = number;
        edge.guard = make_binary(t.now, Op::Eq, t.read(slot.full, index()), t.number(1), core::no_site);
        edge.effects = {t.assign(var, index(), t.read(slot.value, index())), t.assign(slot.full, index(), t.number(0)),
                        t.assign(slot.value, index(), t.number(0))};
        edge.number = static_cast<std::uint32_t>(t.now.processes[number].edges.size());
        t.now.processes[number].edges.push_back(static_cast<std::uint32_t>(t.now.edges.size()));
        t.now.edges.push_back(std::move(edge));
      }
  }
}

// All copies of an edge. False: there are too many.
bool add_copies(Target& t, const Edge& edge) {
  std::vector<std::size_t> chosen, options;
  for (std::size_t copies = 1;; ++copies) {
    if (copies > most_copies) return false;
    Edge copy = Copy(t, edge, chosen, options).make();
    Process& process = t.now.processes[edge.process];
    copy.number = static_cast<std::uint32_t>(process.edges.size());
    process.edges.push_back(static_cast<std::uint32_t>(t.now.edges.size()));
    t.now.edges.push_back(std::move(copy));
    // The next combination of choices; what comes after a choice that changed is chosen anew.
    while (!chosen.empty() && chosen.back() + 1 == options.back()) {
      chosen.pop_back();
      options.pop_back();
    }
    if (chosen.empty()) return true;
    ++chosen.back();
  }
}

}  // namespace

support::Result<Program> relax(const Program& program, const RelaxOptions& options) {
  const auto refuse = [&](std::string message, std::string hint) {
    return support::Diagnostic{program.name, 0, 0, std::move(message), {}, std::move(hint)};
  };
  if (program.kind == SystemKind::Sync)
    return refuse("'system sync' has no meaning under sb1: processes in lock-step have no buffers", {});
  if (program.property != none)
    return refuse("a property process observes every step of the system, but not what memory does by itself", {});
  Target t{program, options, unfinished(program), {}, {}, {}};
  t.now.edges.clear();
  t.now.propositions.clear();
  add_slots(t);
  for (std::uint32_t p = 0; p < program.processes.size(); ++p) {
    t.now.processes[p].edges.clear();
    for (ControlState& state : t.now.processes[p].states)
      for (Assertion& assertion : state.assertions) {
        Edge nobody;
        nobody.process = p;
        std::vector<std::size_t> chosen, number_of_options;
        assertion.condition = Copy(t, nobody, chosen, number_of_options).see_at_rest(assertion.condition);
      }
    for (const std::uint32_t e : program.processes[p].edges)
      if (!add_copies(t, program.edges[e])) {
        const core::SourcePlace place =
            program.edges[e].site < program.sites.size() ? program.sites[program.edges[e].site] : core::SourcePlace{};
        return support::Diagnostic{
            place.file,   place.line,
            place.column, fmt::format("this transition would become more than {} copies", most_copies),
            {},           "use --compact, which selects by arithmetic instead"};
      }
  }
  add_memory_process(t);
  return std::move(t.now);
}

}  // namespace heddle::ir
