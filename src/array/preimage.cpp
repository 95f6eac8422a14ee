// Hot: the search spends its time here and in subsumption (bench/param_bench.cpp).
// SPDX-License-Identifier: Apache-2.0
#include "array/preimage.h"

#include <algorithm>
#include <bit>

namespace heddle::array {

namespace {

Row cell_row(const Cube& cube, Atom cell) {
  for (const CellRow& r : cube.cell_rows)
    if (r.cell == cell) return r.row;
  return 0;
}

Row& cell_row_of(Cube& cube, Atom cell) {
  for (CellRow& r : cube.cell_rows)
    if (r.cell == cell) return r.row;
  cube.cell_rows.push_back({cell, 0});
  return cube.cell_rows.back().row;
}

Instance named_instance(const System& system) {
  Instance i;
  i.fill(no_process);
  for (unsigned k = 0; k < system.named(); ++k) i[cubicle::first_concrete + k] = static_cast<Process>(k);
  return i;
}

// Constraints between processes only, which an instance decides at once: true, false, or not of that kind.
enum class Truth : std::uint8_t { False, True, Open };
Truth truth(const Constraint& c) {
  if (c.sum.size() == 0) {
    const std::int64_t v = c.sum.c;
    switch (c.op) {
      case logic::Op::Equal: return v == 0 ? Truth::True : Truth::False;
      case logic::Op::NotEqual: return v != 0 ? Truth::True : Truth::False;
      case logic::Op::LessEqual: return v <= 0 ? Truth::True : Truth::False;
      case logic::Op::LessThan: return v < 0 ? Truth::True : Truth::False;
    }
  }
  for (const Sum::Term& t : c.sum)
    if (!t.atom.is_process()) return Truth::Open;
  if (c.op == logic::Op::LessEqual || c.op == logic::Op::LessThan) return Truth::Open;  // the order is data (cube.h)
  return c.op == logic::Op::Equal ? Truth::False : Truth::True;  // two processes that did not cancel out are different
}

// One more than there are, as far as the system allows.
unsigned with_new_process(const System& system, unsigned processes) {
  if (system.source->number_procs == 0 && processes >= max_processes)
    throw OutOfRange{"more than 16 processes in one cube"};
  return std::min(processes + 1, system.limit());
}

// Calls `found` for every way to give the parameters different processes: the old ones or new ones, in order.
template <class Found>
void assign_parameters(const System& system, unsigned parameters, Instance& instance, unsigned at, unsigned processes,
                       const Found& found) {
  if (at == parameters) {
    found(processes);
    return;
  }
  const unsigned top = with_new_process(system, processes);
  for (unsigned p = 0; p < top; ++p) {
    bool taken = false;
    for (unsigned q = 0; q < at; ++q) taken = taken || instance[q] == p;
    if (taken) continue;
    instance[at] = static_cast<Process>(p);
    assign_parameters(system, parameters, instance, at + 1, std::max(processes, p + 1), found);
  }
}

// Existential variables of a case: any process that is not excluded, or a new one.
template <class Found>
void assign_exists(const System& system, const std::vector<BoundSlot>& exists, Instance& instance, std::size_t at,
                   unsigned processes, const Found& found) {
  if (at == exists.size()) {
    found(processes);
    return;
  }
  const unsigned top = with_new_process(system, processes);
  for (unsigned p = 0; p < top; ++p) {
    const auto& excluded = exists[at].excluded;
    if (std::any_of(excluded.begin(), excluded.end(), [&](Slot s) { return instance[s] == p; })) continue;
    instance[exists[at].slot] = static_cast<Process>(p);
    assign_exists(system, exists, instance, at + 1, std::max(processes, p + 1), found);
  }
}

class Preimage {
 public:
  Preimage(const System& system, const MemoryModel& model, const Cube& cube, const PreimageOptions& options,
           const std::function<void(Cube&&, const Step&)>& found)
      : system_(system), model_(model), cube_(cube), options_(options), found_(found) {
    const auto look = [&](Atom a) {
      if (a.is_cell()) cells_.push_back(a);
      if (a.is_read()) reads_.push_back(a);
    };
    for (const Literal& l : cube.literals) {
      look(l.x);
      look(l.y);
    }
    for (const LinearLiteral& l : cube.linear)
      for (const auto& [a, f] : l.sum) look(a);
    for (auto* v : {&cells_, &reads_}) {
      std::sort(v->begin(), v->end());
      v->erase(std::unique(v->begin(), v->end()), v->end());
    }
  }

  // Only steps that write one of these cells, by another process than the promise's.
  void overtake(const Promise& p) { overtaken_ = &p; }

  void run() {
    for (std::size_t t = 0; t < system_.transitions.size(); ++t) {
      step_.transition = static_cast<std::uint16_t>(t);
      transition_ = &system_.transitions[t];
      instance_ = named_instance(system_);
      const unsigned base = std::max<unsigned>(cube_.processes, system_.named());
      assign_parameters(system_, transition_->parameters, instance_, 0, base, [&](unsigned processes) {
        if (options_.skip_idle && !touches()) return;
        for (const Case& guard : transition_->guards) {
          guard_ = &guard;
          assign_exists(system_, guard.exists, instance_, 0, processes, [&](unsigned all) { begin(all); });
        }
      });
    }
    if (!model_.write_write) promises();
  }

 private:
  Process actor() const { return transition_->actor == cubicle::no_slot ? no_process : instance_[transition_->actor]; }

  bool matches(const Update& u, Atom cell) const {
    if (u.symbol != cell.symbol()) return false;
    const auto fits = [&](std::size_t i, Process p) {
      return u.args[i] == cubicle::no_slot || u.bound[i] || instance_[u.args[i]] == p;
    };
    return fits(0, cell.a()) && fits(1, cell.b());
  }

  // Whether the transition writes anything that the cube mentions.
  bool touches() const {
    for (const Update& u : transition_->plain)
      for (const Atom c : cells_)
        if (matches(u, c)) return true;
    for (const Update& u : transition_->weak)
      for (const Atom r : reads_)
        if (matches(u, r)) return true;
    for (const Promise& p : cube_.promises)
      for (const Update& u : transition_->weak)
        for (const Atom c : p.cells)
          if (matches(u, c)) return true;
    return false;
  }

  struct Choice {
    Atom cell;
    const Update* update;
    bool weak;
  };

  void begin(unsigned processes) {
    processes_ = processes;
    constraints_.clear();
    substitutes_.clear();
    writes_.clear();
    choices_.clear();
    anys_ = 0;
    for (const Constraint& c : guard_->constraints)
      if (!require(c)) return;
    for (const Update& u : transition_->plain)
      for (const Atom c : cells_)
        if (matches(u, c)) choices_.push_back({c, &u, false});
    for (const Update& u : transition_->weak) {
      const auto range = [&](std::size_t i, auto&& body) {
        if (u.args[i] == cubicle::no_slot) body(no_process);
        else if (!u.bound[i]) body(instance_[u.args[i]]);
        else
          for (unsigned p = 0; p < processes_; ++p) body(static_cast<Process>(p));
      };
      range(0, [&](Process a) {
        range(1, [&](Process b) { choices_.push_back({Atom::cell(u.symbol, a, b), &u, true}); });
      });
    }
    for (const Constraint& c : constraints_)
      if (contradicts(c)) return;
    universal(0, 0);
  }

  // The guard gives a cell another value than the cube does, and the step does not write it. Most instances end here.
  bool contradicts(const Constraint& c) const {
    if (c.op != logic::Op::Equal || c.sum.size() != 1) return false;
    const Sum::Term& t = *c.sum.begin();
    if (!t.atom.is_cell() || (t.factor != 1 && t.factor != -1)) return false;
    if (std::any_of(choices_.begin(), choices_.end(), [&](const Choice& o) { return !o.weak && o.cell == t.atom; }))
      return false;
    for (const Literal& l : cube_.literals)
      if (l.op == logic::Op::Equal && l.x == t.atom && l.y.is_zero()) return l.c != -t.factor * c.sum.c;
    return false;
  }

  // Adds an instantiated constraint; false if the instance already refutes it.
  bool require(const Constraint& template_constraint) {
    Constraint c = instantiate(template_constraint, instance_);
    const Truth t = truth(c);
    if (t == Truth::Open) constraints_.push_back(std::move(c));
    return t != Truth::False;
  }

  void universal(std::size_t which, unsigned process) {
    if (which == guard_->universals.size()) {
      choose(0);
      return;
    }
    const Universal& u = guard_->universals[which];
    const auto excluded = [&](unsigned p) {
      return std::any_of(u.bound.excluded.begin(), u.bound.excluded.end(), [&](Slot s) { return instance_[s] == p; });
    };
    while (process < processes_ && excluded(process)) ++process;
    if (process >= processes_) {
      universal(which + 1, 0);
      return;
    }
    for (const Conjunct& c : u.cases) {
      const std::size_t before = constraints_.size();
      instance_[u.bound.slot] = static_cast<Process>(process);
      if (std::all_of(c.begin(), c.end(), [&](const Constraint& l) { return require(l); }))
        universal(which, process + 1);
      constraints_.resize(before);
    }
  }

  void choose(std::size_t at) {
    if (at == choices_.size()) {
      events();
      return;
    }
    const Choice& choice = choices_[at];
    const Update& u = *choice.update;
    for (const UpdateCase& c : u.cases) {
      const std::size_t before = constraints_.size();
      if (u.bound[0]) instance_[u.args[0]] = choice.cell.a();
      if (u.bound[1]) instance_[u.args[1]] = choice.cell.b();
      if (std::all_of(c.condition.begin(), c.condition.end(), [&](const Constraint& l) { return require(l); })) {
        auto& target = choice.weak ? writes_ : substitutes_;
        const std::size_t size = target.size();
        if (c.kind == UpdateCase::Kind::Value) target.push_back({choice.cell, instantiate(c.value, instance_)});
        const unsigned anys = anys_;
        if (c.kind == UpdateCase::Kind::Any) {
          if (anys_ == max_anys) throw OutOfRange{"more than 32 values that one step may choose"};
          target.push_back({choice.cell, Sum::of(Atom::any(u.symbol, anys_++))});
        }
        choose(at + 1);
        target.resize(size);
        anys_ = anys;
      }
      constraints_.resize(before);
    }
  }

  const Sum* written(Atom cell) const {
    for (const auto& [c, value] : writes_)
      if (c == cell) return &value;
    return nullptr;
  }

  // Data and writes are chosen; now which reads the writes satisfy.
  void events() {
    matched_ = none;
    const Process i = actor();
    bool own_promise = false;
    for (std::size_t k = 0; k < cube_.promises.size(); ++k) {
      const Promise& p = cube_.promises[k];
      if (p.process != i) continue;
      own_promise = true;
      if (matched_ != none) continue;
      const auto count = static_cast<std::size_t>(
          std::count_if(p.cells.begin(), p.cells.end(), [&](Atom c) { return written(c) != nullptr; }));
      if (count == 0) continue;
      if (count != writes_.size() || count != p.cells.size()) return;  // would overtake w on a common cell
      matched_ = k;
    }
    if (own_promise && (transition_->locked() || guard_->fence)) return;  // waits for the promised write
    if (matched_ != none && !cube_.promises[matched_].passed) return;     // nothing forbids the ordinary order
    if (overtaken_ != nullptr) {
      if (i == overtaken_->process || matched_ != none) return;
      if (std::none_of(overtaken_->cells.begin(), overtaken_->cells.end(),
                       [&](Atom c) { return written(c) != nullptr; }))
        return;
    }

    external_ = 0;
    satisfied_reads_ = false;
    if (matched_ == none)
      for (const Atom r : reads_)
        if (written(r.location()) != nullptr) {
          if (r.reader() == i) satisfied_reads_ = true;
          else external_ |= Row{1} << r.node();
        }
    // All subsets of the nodes with an external read.
    Row taken = external_;
    for (;;) {
      build(taken);
      if (taken == 0) break;
      taken = (taken - 1) & external_;
    }
  }

  Sum replace(Atom atom, Row taken) const {
    if (atom.is_cell()) {
      for (const auto& [cell, value] : substitutes_)
        if (cell == atom) return value;
    } else if (atom.is_read() && matched_ == none) {
      if (const Sum* value = written(atom.location()))
        if (atom.reader() == actor() || (taken >> atom.node() & 1) != 0) return *value;
    } else if (atom.is_promise() && matched_ != none) {
      if (atom.node() == matched_) return *written(atom.location());
      if (atom.node() > matched_) return Sum::of(Atom::promise(atom.symbol(), atom.a(), atom.b(), atom.node() - 1));
    }
    return Sum::of(atom);
  }

  // Reads of the new event get the next free node; a cell in the actor's buffer is read from there.
  Sum place_read(Atom atom) const {
    if (!atom.is_read() || atom.node() != new_node) return Sum::of(atom);
    for (std::size_t k = 0; k < cube_.promises.size(); ++k)
      if (k != matched_ && cube_.promises[k].process == atom.reader() &&
          std::binary_search(cube_.promises[k].cells.begin(), cube_.promises[k].cells.end(), atom.location()))
        return Sum::of(Atom::promise(atom.symbol(), atom.a(), atom.b(),
                                     static_cast<unsigned>(matched_ != none && k > matched_ ? k - 1 : k)));
    return Sum::of(Atom::read(atom.symbol(), atom.a(), atom.b(), cube_.nodes, atom.reader()));
  }

  Sum place(const Sum& sum) const {
    if (!transition_->reads_weak) return sum;
    Sum result = Sum::constant(sum.c);
    for (const Sum::Term& t : sum) result.add(place_read(t.atom), t.factor);
    result.den = sum.den;
    return result;
  }

  void rewrite(const Constraint& c, Row taken) {
    Constraint out;
    out.op = c.op;
    out.sum = Sum::constant(c.sum.c);
    out.sum.den = c.sum.den;
    for (const Sum::Term& t : c.sum) out.sum.add(place(replace(t.atom, taken)), t.factor);
    all_.push_back(std::move(out));
  }

  bool replaced(Atom atom) const {
    switch (atom.kind()) {
      case Atom::Kind::Cell:
        return std::any_of(substitutes_.begin(), substitutes_.end(), [&](const auto& s) { return s.first == atom; });
      case Atom::Kind::Read: return matched_ == none && written(atom.location()) != nullptr;
      case Atom::Kind::Promise: return matched_ != none;
      case Atom::Kind::Special: return false;
    }
    return false;
  }

  void gather(Row taken) {
    all_.clear();
    for (const Literal& l : cube_.literals) {
      if (replaced(l.x) || replaced(l.y)) rewrite(constraint(l), taken);
      else all_.push_back(constraint(l));
    }
    for (const LinearLiteral& l : cube_.linear) rewrite(constraint(l), taken);
    for (const Constraint& c : constraints_) all_.push_back({c.op, place(c.sum)});
  }

  void start(Cube& result) const {
    result.processes = static_cast<std::uint8_t>(processes_);
    result.nodes = cube_.nodes;
    result.node_rows = cube_.node_rows;
    result.all_rows = cube_.all_rows;
    result.write_rows = cube_.write_rows;
    result.all_rows.resize(processes_, cube_.other_all);
    result.write_rows.resize(processes_, cube_.other_write);
    result.other_all = cube_.other_all;
    result.other_write = cube_.other_write;
    result.cell_rows = cube_.cell_rows;
    result.promises = cube_.promises;
  }

  // Closure: every old row that reaches a read which precedes the new event also reaches what the new event reaches.
  static void extend(Cube& cube, Row before, Row reach) {
    if (before == 0) return;
    const auto grow = [&](Row& row) {
      if ((row & before) != 0) row |= reach;
    };
    for (Row& r : cube.node_rows) grow(r);
    for (Row& r : cube.all_rows) grow(r);
    for (Row& r : cube.write_rows) grow(r);
    grow(cube.other_all);
    grow(cube.other_write);
    for (CellRow& r : cube.cell_rows) grow(r.row);
    for (Promise& p : cube.promises) grow(p.row);
  }

  void build(Row taken) {
    // A cycle shows before any data is looked at: the reads not taken precede the write; does it reach one of them?
    const Process i = actor();
    const bool locked = transition_->locked();
    const bool writes = !writes_.empty() && matched_ == none;
    const Row passed = external_ & ~taken;
    Row reach = 0;
    if (writes || locked) {
      reach = locked || model_.write_read ? cube_.all_rows_of(i) : cube_.write_rows_of(i);
      if (writes)
        for (const auto& [cell, value] : writes_) reach |= cell_row(cube_, cell);
      for (Row rest = taken; rest != 0; rest &= rest - 1)
        reach |= cube_.node_rows[static_cast<std::size_t>(std::countr_zero(rest))];
      if ((reach & passed) != 0) return;
    }
    const bool idle = taken == 0 && !satisfied_reads_ && matched_ == none && substitutes_.empty();
    if (options_.skip_idle && idle) return;

    gather(taken);
    Cube result;
    if (!options_.simplify(result, system_, all_)) return;
    start(result);

    // Which reads of the new event matter.
    read_cells_.clear();
    const auto look = [&](Atom a) {
      if (a.is_read() && a.node() == cube_.nodes) read_cells_.push_back(a.location());
    };
    for (const Literal& l : result.literals) {
      look(l.x);
      look(l.y);
    }
    for (const LinearLiteral& l : result.linear)
      for (const auto& [a, f] : l.sum) look(a);
    if (!read_cells_.empty()) {
      if (cube_.nodes >= max_nodes) throw OutOfRange{"more than 31 pending reads at once"};
      reach |= cube_.all_rows_of(i);
      for (const Atom cell : read_cells_) reach |= cell_row(cube_, cell);
      if ((reach & passed) != 0) return;
      reach |= Row{1} << cube_.nodes;
      result.nodes = static_cast<std::uint8_t>(cube_.nodes + 1);
      result.node_rows.push_back(reach);
    }
    extend(result, passed, reach);
    if (i != no_process) {
      Row& all = result.all_rows[i];
      Row& write = result.write_rows[i];
      if (matched_ != none) all |= result.promises[matched_].row;
      all |= reach;
      if (locked || guard_->fence || model_.write_read) write |= all;
      else if (writes && model_.write_write) write |= reach;
    }
    if (writes)
      for (const auto& [cell, value] : writes_) cell_row_of(result, cell) |= reach;
    if (!writes_.empty() && !idle)  // a run can do without an idle step, so it forbids no order
      for (std::size_t k = 0; k < result.promises.size(); ++k)
        if (result.promises[k].process == i && k != matched_) result.promises[k].passed = true;
    if (matched_ != none) result.promises.erase(result.promises.begin() + static_cast<std::ptrdiff_t>(matched_));
    for (unsigned p = 0; p < transition_->parameters; ++p) step_.parameters[p] = instance_[p];
    finish(std::move(result));
  }

  void finish(Cube&& result) {
    step_.moved = compress(result, system_);
    found_(std::move(result), step_);
  }

  // Pure writes that reach memory now, read by someone, while their transition is still to come.
  void promises() {
    for (const WritePattern& pattern : system_.patterns) {
      instance_ = named_instance(system_);
      const unsigned base = std::max<unsigned>(cube_.processes, system_.named());
      assign_parameters(system_, pattern.parameters, instance_, 0, base, [&](unsigned processes) {
        processes_ = processes;
        promise(pattern);
      });
    }
  }

  void promise(const WritePattern& pattern) {
    const Process i = instance_[pattern.actor];
    const auto index = static_cast<unsigned>(cube_.promises.size());
    writes_.clear();
    substitutes_.clear();
    constraints_.clear();
    Promise p;
    p.process = i;
    for (const WritePattern::Cell& c : pattern.cells) {
      const auto of = [&](Slot s) { return s == cubicle::no_slot ? no_process : instance_[s]; };
      const Atom cell = Atom::cell(c.symbol, of(c.args[0]), of(c.args[1]));
      const Sum value = Sum::of(Atom::promise(c.symbol, cell.a(), cell.b(), index));
      writes_.push_back({cell, value});
      p.cells.push_back(cell);
      if (!c.value) continue;
      Constraint same{logic::Op::Equal, value};
      same.sum.add(instantiate(*c.value, instance_), -1);
      constraints_.push_back(std::move(same));
    }
    for (const Constraint& c : pattern.constants)
      if (!require(c)) return;
    // A foreign write to one of the cells that the process has promised already would be in between.
    if (overtaken_ != nullptr &&
        (p.process == overtaken_->process || std::none_of(overtaken_->cells.begin(), overtaken_->cells.end(),
                                                          [&](Atom c) { return written(c) != nullptr; })))
      return;
    std::sort(p.cells.begin(), p.cells.end());
    Row external = 0;
    bool internal = false;
    for (const Atom r : reads_)
      if (written(r.location()) != nullptr) {
        if (r.reader() == i) internal = true;
        else external |= Row{1} << r.node();
      }
    if (external == 0 && !internal) return;
    if (index >= options_.promises) {
      if (options_.bounded != nullptr) options_.bounded->store(true, std::memory_order_relaxed);
      return;
    }
    Row taken = external;
    for (;;) {
      if (taken != 0 || internal) promise(p, external & ~taken, taken);
      if (taken == 0) break;
      taken = (taken - 1) & external;
    }
  }

  void promise(Promise p, Row passed, Row taken) {
    Row reach = cube_.write_rows_of(p.process);
    for (const Atom cell : p.cells) reach |= cell_row(cube_, cell);
    for (Row rest = taken; rest != 0; rest &= rest - 1)
      reach |= cube_.node_rows[static_cast<std::size_t>(std::countr_zero(rest))];
    if ((reach & passed) != 0) return;
    all_.clear();
    const auto value = [&](Atom a) {
      if (!a.is_read()) return Sum::of(a);
      const Sum* w = written(a.location());
      return w != nullptr && (a.reader() == p.process || (taken >> a.node() & 1) != 0) ? *w : Sum::of(a);
    };
    const auto put = [&](const Constraint& c) {
      Constraint out;
      out.op = c.op;
      out.sum = Sum::constant(c.sum.c);
      for (const Sum::Term& t : c.sum) out.sum.add(value(t.atom), t.factor);
      all_.push_back(std::move(out));
    };
    for (const Literal& l : cube_.literals) put(constraint(l));
    for (const LinearLiteral& l : cube_.linear) put(constraint(l));
    all_.insert(all_.end(), constraints_.begin(), constraints_.end());
    Cube result;
    if (!options_.simplify(result, system_, all_)) return;
    start(result);
    extend(result, passed, reach);
    for (const Atom cell : p.cells) cell_row_of(result, cell) |= reach;
    p.row = reach;
    result.promises.push_back(p);
    // Nodes and processes keep their numbers, so the step that follows speaks of the cube's.
    // An idle step cannot be what overtakes: without it the run is shorter and w may go in its ordinary place.
    PreimageOptions active = options_;
    active.skip_idle = true;
    Preimage next(system_, model_, result, active, found_);
    next.overtake(p);
    next.run();
  }

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  const System& system_;
  const MemoryModel& model_;
  const Cube& cube_;
  const PreimageOptions& options_;
  const std::function<void(Cube&&, const Step&)>& found_;

  std::vector<Atom> cells_, reads_;  // that the cube mentions
  const Transition* transition_ = nullptr;
  const Case* guard_ = nullptr;
  Instance instance_{};
  unsigned processes_ = 0;
  std::vector<Constraint> constraints_, all_;
  std::vector<std::pair<Atom, Sum>> substitutes_, writes_;
  std::vector<Choice> choices_;
  std::vector<Atom> read_cells_;
  unsigned anys_ = 0;
  const Promise* overtaken_ = nullptr;
  std::size_t matched_ = none;  // the promise that this transition keeps
  Row external_ = 0;
  bool satisfied_reads_ = false;
  Step step_;
};

}  // namespace

void preimage(const System& system, const MemoryModel& model, const Cube& cube, const PreimageOptions& options,
              const std::function<void(Cube&&, const Step&)>& found) {
  Preimage(system, model, cube, options, found).run();
}

std::vector<Cube> bad_cubes(const System& system, const MemoryModel& model, const Bad& bad, Simplify simplify) {
  std::vector<Cube> result;
  Instance instance = named_instance(system);
  const unsigned named = system.named();
  assign_parameters(system, bad.parameters, instance, 0, named, [&](unsigned processes) {
    for (const Case& c : bad.cases)
      assign_exists(system, c.exists, instance, 0, processes, [&](unsigned all) {
        std::vector<Constraint> constraints;
        for (const Constraint& l : c.constraints) {
          const Constraint here = instantiate(l, instance);
          if (truth(here) == Truth::False) return;
          Constraint out{here.op, Sum::constant(here.sum.c)};
          out.sum.den = here.sum.den;
          for (const Sum::Term& t : here.sum) {
            const Atom a = t.atom;
            out.sum.add(a.is_read() ? Atom::read(a.symbol(), a.a(), a.b(), 0, a.reader()) : a, t.factor);
          }
          constraints.push_back(std::move(out));
        }
        Cube cube;
        if (!simplify(cube, system, constraints)) return;
        cube.processes = static_cast<std::uint8_t>(all);
        cube.all_rows.assign(all, 0);
        cube.write_rows.assign(all, 0);
        // All reads of the formula happen at one moment, after everything else: one event, whoever reads.
        const auto look = [&](Atom a) {
          if (!a.is_read()) return;
          cube.nodes = 1;
          cube.node_rows.assign(1, 1);
          cube.all_rows.assign(all, 1);
          cube.other_all = 1;
          if (!model.write_read) return;
          cube.write_rows.assign(all, 1);
          cube.other_write = 1;
        };
        for (const Literal& l : cube.literals) {
          look(l.x);
          look(l.y);
        }
        for (const LinearLiteral& l : cube.linear)
          for (const auto& [a, f] : l.sum) look(a);
        compress(cube, system);
        result.push_back(std::move(cube));
      });
  });
  return result;
}

}  // namespace heddle::array
