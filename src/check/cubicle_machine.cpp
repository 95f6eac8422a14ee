// SPDX-License-Identifier: Apache-2.0
#include "check/cubicle_machine.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <set>

#include "support/diagnostics.h"

namespace heddle::check {

using cubicle::Formula;
using cubicle::Term;

namespace {

constexpr std::int64_t unit = 20000;                        // of reals: texts have four decimals, and a half
constexpr std::size_t most_results = std::size_t{1} << 18;  // of one step

// Thrown for a number that is no multiple of the unit, or too large: what depends on it is not known.
struct Inexact {};

bool reads_weak(const cubicle::System& s, const Term& t) {
  return std::any_of(t.monomials.begin(), t.monomials.end(),
                     [&](const cubicle::Monomial& m) { return s.symbols[m.access.symbol].weak; });
}

bool reads_weak(const cubicle::System& s, const Formula& f) {
  for (const Term& t : f.terms)
    if (reads_weak(s, t)) return true;
  return std::any_of(f.children.begin(), f.children.end(), [&](const Formula& c) { return reads_weak(s, c); });
}

void collect(const Term& t, std::set<std::int64_t>& numbers) {
  if (t.kind == Term::Kind::Linear) numbers.insert(t.constant.num * unit / t.constant.den);
}

void collect(const Formula& f, std::set<std::int64_t>& numbers) {
  for (const Term& t : f.terms) collect(t, numbers);
  for (const Formula& c : f.children) collect(c, numbers);
}

struct NaiveMemory {
  std::string_view name;
  bool buffered, fifo;
};
constexpr NaiveMemory naive_memories[] = {{"sc", false, true}, {"tso", true, true}, {"pso", true, false}};

}  // namespace

CubicleMachine::CubicleMachine(const cubicle::System& system, std::string_view model, unsigned processes,
                               unsigned buffer, Numbers which)
    : system_(system), processes_(processes), buffer_(buffer) {
  const auto row = std::ranges::find(naive_memories, model, &NaiveMemory::name);
  HEDDLE_ASSERT(row != std::end(naive_memories));
  buffered_ = row->buffered;
  fifo_ = row->fifo;
  for (const cubicle::Symbol& s : system.symbols) {
    offsets_.push_back(cells_);
    cells_ += s.arity == 0 ? 1 : s.arity == 1 ? processes : processes * processes;
  }
  std::set<std::int64_t> numbers{0};
  for (const cubicle::Transition& t : system.transitions) {
    bool reads = reads_weak(system, t.guard), writes = false;
    collect(t.guard, numbers);
    for (const cubicle::Update& u : t.updates) {
      writes = writes || system.symbols[u.symbol].weak;
      for (const cubicle::Arm& a : u.arms) {
        reads = reads || reads_weak(system, a.condition) || reads_weak(system, a.value);
        collect(a.condition, numbers);
        collect(a.value, numbers);
      }
    }
    reads_weak_.push_back(reads);
    writes_weak_.push_back(writes);
  }
  for (const cubicle::Block& b : system.unsafe) collect(b.formula, numbers);
  for (const cubicle::Block& b : system.invariants) collect(b.formula, numbers);
  collect(system.init.formula, numbers);
  // Between two numbers all values are alike, as far as comparisons with these can tell.
  std::set<std::int64_t> whole, real;
  for (auto it = numbers.begin(); it != numbers.end(); ++it) {
    if (const auto next = std::next(it); next != numbers.end()) real.insert((*it + *next) / 2);
    real.insert(*it);
    if (*it % unit == 0)
      for (const std::int64_t d : {-1, 0, 1}) whole.insert(*it / unit + d);
  }
  real.insert(*numbers.begin() - unit);
  real.insert(*numbers.rbegin() + unit);
  if (which == Numbers::More) {
    constexpr std::int64_t small = 16, most = std::int64_t{1} << 40;
    std::set<std::int64_t> more;
    for (std::int64_t n = -small; n <= small; ++n) more.insert(n * unit);
    for (const std::int64_t a : numbers)
      for (const std::int64_t b : numbers)
        if (std::abs(a) < most && std::abs(b) < most && more.size() < 200) more.insert({a + b, a - b, a / 2});
    real.insert(more.begin(), more.end());
    for (const std::int64_t n : more)
      if (n % unit == 0) whole.insert(n / unit);
  }
  whole_.assign(whole.begin(), whole.end());
  real_.assign(real.begin(), real.end());
}

bool CubicleMachine::chooses_numbers() const {
  const auto number = [&](unsigned symbol) {
    const auto kind = system_.types[system_.symbols[symbol].type].kind;
    return kind == cubicle::Type::Kind::Int || kind == cubicle::Type::Kind::Real;
  };
  for (const cubicle::Transition& t : system_.transitions)
    for (const cubicle::Update& u : t.updates)
      if (number(u.symbol) && std::any_of(u.arms.begin(), u.arms.end(), [](const cubicle::Arm& a) { return a.any; }))
        return true;
  const std::vector<bool> is_fixed = fixed();
  for (unsigned s = 0; s < system_.symbols.size(); ++s)
    if (number(s) && !is_fixed[cell(s, 0, 0)]) return true;
  return false;
}

std::uint32_t CubicleMachine::cell(unsigned symbol, unsigned a, unsigned b) const {
  switch (system_.symbols[symbol].arity) {
    case 0: return offsets_[symbol];
    case 1: return offsets_[symbol] + a;
    default: return offsets_[symbol] + a * processes_ + b;
  }
}

std::vector<std::int64_t> CubicleMachine::domain(cubicle::TypeId id) const {
  const cubicle::Type& type = system_.types[id];
  std::vector<std::int64_t> result;
  switch (type.kind) {
    case cubicle::Type::Kind::Enumeration:
      for (std::size_t i = 0; i < type.constructors.size(); ++i) result.push_back(static_cast<std::int64_t>(i));
      break;
    case cubicle::Type::Kind::Proc:
      for (unsigned p = 0; p < processes_; ++p) result.push_back(p);
      break;
    case cubicle::Type::Kind::Int: result = whole_; break;
    case cubicle::Type::Kind::Real: result = real_; break;
    case cubicle::Type::Kind::Abstract:
      for (unsigned i = 0; i < processes_; ++i) result.push_back(i);
      break;
  }
  return result;
}

unsigned CubicleMachine::process(cubicle::Slot slot, const std::vector<unsigned>& slots) const {
  if (slot >= cubicle::first_concrete && slot != cubicle::no_slot) return slot - cubicle::first_concrete;
  return slot < slots.size() ? slots[slot] : 0;
}

std::int64_t CubicleMachine::view(const State& s, unsigned p, std::uint32_t c, int* entry) const {
  if (entry != nullptr) *entry = -1;
  const auto& buffer = s.buffers[p];
  for (std::size_t k = buffer.size(); k-- > 0;)
    for (const auto& [cell, value] : buffer[k].cells)
      if (cell == c) {
        if (entry != nullptr) *entry = static_cast<int>(k);
        return value;
      }
  return s.memory[c];
}

std::int64_t CubicleMachine::value(const Term& t, const State& s, std::vector<unsigned>& slots, unsigned actor,
                                   std::vector<Read>* reads) const {
  if (t.kind == Term::Kind::Constructor) return t.constructor;
  if (t.kind == Term::Kind::Process) return process(t.process, slots);
  __extension__ typedef __int128 Wide;
  const auto quotient = [](Wide n, std::int64_t d) {
    if (n % d != 0) throw Inexact{};
    return n / d;
  };
  Wide sum = quotient(Wide{t.constant.num} * (t.type == cubicle::type_real ? unit : 1), t.constant.den);
  for (const cubicle::Monomial& m : t.monomials) {
    const unsigned a = process(m.access.args[0], slots), b = process(m.access.args[1], slots);
    const std::uint32_t c = cell(m.access.symbol, a, b);
    std::int64_t v = s.memory[c];
    if (system_.symbols[m.access.symbol].weak) {
      const unsigned reader = m.access.viewer != cubicle::no_slot ? process(m.access.viewer, slots) : actor;
      if (reader < processes_) {  // in init nobody reads: memory counts
        int entry = -1;
        v = view(s, reader, c, &entry);
        if (reads != nullptr) reads->push_back({c, v, entry, reader});
      }
    }
    sum += quotient(Wide{m.factor.num} * v, m.factor.den);
  }
  if (sum > std::numeric_limits<std::int64_t>::max() || sum < std::numeric_limits<std::int64_t>::min()) throw Inexact{};
  return static_cast<std::int64_t>(sum);
}

bool CubicleMachine::holds(const Formula& f, const State& s, std::vector<unsigned>& slots, unsigned actor,
                           std::vector<Read>* reads) const {
  switch (f.kind) {
    case Formula::Kind::True: return true;
    case Formula::Kind::False: return false;
    case Formula::Kind::Fence: return actor >= processes_ || s.buffers[actor].empty();
    case Formula::Kind::Not: return !holds(f.children[0], s, slots, actor, reads);
    case Formula::Kind::And:
      for (const Formula& c : f.children)
        if (!holds(c, s, slots, actor, reads)) return false;
      return true;
    case Formula::Kind::Or:
      for (const Formula& c : f.children)
        if (holds(c, s, slots, actor, reads)) return true;
      return false;
    case Formula::Kind::Forall:
    case Formula::Kind::Exists: {
      const bool all = f.kind == Formula::Kind::Forall;
      if (slots.size() <= f.bound) slots.resize(f.bound + 1U, 0);
      for (unsigned p = 0; p < processes_; ++p) {
        if (std::any_of(f.excluded.begin(), f.excluded.end(), [&](cubicle::Slot e) { return process(e, slots) == p; }))
          continue;
        slots[f.bound] = p;
        if (holds(f.children[0], s, slots, actor, reads) != all) return !all;
      }
      return all;
    }
    case Formula::Kind::Atom: {
      const std::int64_t a = value(f.terms[0], s, slots, actor, reads), b = value(f.terms[1], s, slots, actor, reads);
      switch (f.op) {
        case cubicle::Compare::Equal: return a == b;
        case cubicle::Compare::NotEqual: return a != b;
        case cubicle::Compare::Less: return a < b;
        case cubicle::Compare::LessEqual: return a <= b;
      }
    }
  }
  return false;
}

std::vector<std::vector<unsigned>> CubicleMachine::tuples(unsigned parameters, bool different) const {
  std::vector<std::vector<unsigned>> result{{}};
  for (unsigned i = 0; i < parameters; ++i) {
    std::vector<std::vector<unsigned>> longer;
    for (const auto& t : result)
      for (unsigned p = 0; p < processes_; ++p)
        if (!different || std::find(t.begin(), t.end(), p) == t.end()) {
          longer.push_back(t);
          longer.back().push_back(p);
        }
    result = std::move(longer);
  }
  return result;
}

std::vector<bool> CubicleMachine::fixed(std::vector<std::vector<std::int64_t>>* values) const {
  State blank;
  blank.memory.assign(cells_, 0);
  blank.buffers.resize(processes_);
  std::vector<bool> result(cells_, false);
  const auto tuples_of_init = tuples(system_.init.parameters, false);
  const auto fix = [&](const Formula& f, auto&& self) -> void {
    if (f.kind == Formula::Kind::And)
      for (const Formula& c : f.children) self(c, self);
    if (f.kind != Formula::Kind::Atom || f.op != cubicle::Compare::Equal) return;
    for (const bool turned : {false, true}) {
      const Term &left = f.terms[turned ? 1 : 0], &right = f.terms[turned ? 0 : 1];
      if (left.monomials.size() != 1 || left.constant.num != 0 || left.monomials[0].factor.num != 1 ||
          left.monomials[0].factor.den != 1 || !right.monomials.empty())
        continue;
      for (auto slots : tuples_of_init) {
        const auto& access = left.monomials[0].access;
        const std::uint32_t c = cell(access.symbol, process(access.args[0], slots), process(access.args[1], slots));
        try {
          if (values != nullptr) (*values)[c] = {value(right, blank, slots, processes_, nullptr)};
        } catch (const Inexact&) {
          return;
        }
        result[c] = true;
      }
      return;
    }
  };
  fix(system_.init.formula, fix);
  return result;
}

std::uint32_t CubicleMachine::first_cell(const Formula& f, const std::vector<unsigned>& slots) const {
  std::uint32_t first = cells_;
  for (const Term& t : f.terms)
    for (const cubicle::Monomial& m : t.monomials)
      first =
          std::min(first, cell(m.access.symbol, process(m.access.args[0], slots), process(m.access.args[1], slots)));
  for (const Formula& c : f.children) first = std::min(first, first_cell(c, slots));
  return first;
}

std::vector<CubicleMachine::State> CubicleMachine::initial(std::size_t limit, bool& all) const {
  all = true;
  // Cells that init fixes by a plain equality get that value, all others every value of their type; then init decides.
  std::vector<std::vector<std::int64_t>> values(cells_);
  for (std::size_t s = 0; s < system_.symbols.size(); ++s) {
    const cubicle::Symbol& symbol = system_.symbols[s];
    const std::uint32_t end = s + 1 < system_.symbols.size() ? offsets_[s + 1] : cells_;
    for (std::uint32_t c = offsets_[s]; c < end; ++c) values[c] = domain(symbol.type);
  }
  const std::vector<bool> is_fixed = fixed(&values);
  const auto tuples_of_init = tuples(system_.init.parameters, false);
  State blank;
  blank.memory.assign(cells_, 0);
  blank.buffers.resize(processes_);
  for (std::size_t s = 0; s < system_.symbols.size(); ++s) {
    const auto kind = system_.types[system_.symbols[s].type].kind;
    const std::uint32_t end = s + 1 < system_.symbols.size() ? offsets_[s + 1] : cells_;
    for (std::uint32_t c = offsets_[s]; c < end; ++c)
      if (!is_fixed[c] && kind != cubicle::Type::Kind::Enumeration && kind != cubicle::Type::Kind::Proc) all = false;
  }
  // Cells get their values from the last to the first, so that the first changes fastest; a conjunct of init is tested
  // as soon as the cells it reads have theirs.
  using Condition = std::pair<const Formula*, const std::vector<unsigned>*>;
  std::vector<std::vector<Condition>> conditions(cells_ + 1);  // by the last cell to get its value, or cells_
  const auto require = [&](const Formula& f, auto&& self) -> void {
    if (f.kind == Formula::Kind::And) {
      for (const Formula& c : f.children) self(c, self);
      return;
    }
    for (const auto& slots : tuples_of_init) conditions[first_cell(f, slots)].emplace_back(&f, &slots);
  };
  require(system_.init.formula, require);
  const auto possible = [&](std::uint32_t c) {
    try {
      return std::ranges::all_of(conditions[c], [&](const Condition& condition) {
        std::vector<unsigned> slots = *condition.second;
        return holds(*condition.first, blank, slots, processes_, nullptr);
      });
    } catch (const Inexact&) {
      return all = false;
    }
  };
  std::vector<State> result;
  if (!possible(cells_)) return result;
  std::vector<std::size_t> next(cells_, 0);  // of a cell's values, the next to try
  std::size_t ruled_out = 0;
  for (std::uint32_t c = cells_;;) {  // all cells from c on have values
    if (c == 0 && trusted_away(blank)) ++ruled_out;
    else if (c == 0) result.push_back(blank);
    else next[--c] = 0;
    while (c < cells_) {
      if (next[c] == values[c].size()) {
        ++c;
        continue;
      }
      blank.memory[c] = values[c][next[c]++];
      if (possible(c)) break;
      ++ruled_out;
    }
    if (c == cells_) break;
    if (result.size() >= limit || ruled_out > 50 * limit) {
      all = false;
      break;
    }
  }
  return result;
}

bool CubicleMachine::step(const State& s, std::size_t number, const std::vector<unsigned>& parameters,
                          std::vector<Read>* reads, bool* full, const std::function<bool(State&&)>& found) const try {
  const cubicle::Transition& t = system_.transitions[number];
  std::vector<unsigned> slots = parameters;
  const unsigned actor = t.actor == cubicle::no_slot ? processes_ : parameters[t.actor];
  const bool locked = reads_weak_[number] && writes_weak_[number];
  if (locked && !s.buffers[actor].empty()) return false;
  if (!holds(t.guard, s, slots, actor, reads)) return false;
  const bool buffers = buffered_ && writes_weak_[number] && !locked;
  if (buffers && s.buffers[actor].size() >= buffer_) {
    if (full != nullptr) *full = true;
    return false;
  }
  // Every cell that is written, with the values it may get (several only for `:= .`).
  struct Written {
    std::uint32_t cell;
    bool weak;
    std::vector<std::int64_t> values;
  };
  std::vector<Written> written;
  for (const cubicle::Update& u : t.updates) {
    const cubicle::Symbol& symbol = system_.symbols[u.symbol];
    const auto range = [&](unsigned i) {
      std::vector<unsigned> r;
      if (symbol.arity <= i) r.push_back(0);
      else if (!u.bound[i]) r.push_back(process(u.args[i], slots));
      else
        for (unsigned p = 0; p < processes_; ++p) r.push_back(p);
      return r;
    };
    for (const unsigned a : range(0))
      for (const unsigned b : range(1)) {
        for (unsigned i = 0; i < 2; ++i)
          if (u.bound[i]) {
            if (slots.size() <= u.args[i]) slots.resize(u.args[i] + 1U, 0);
            slots[u.args[i]] = i == 0 ? a : b;
          }
        for (const cubicle::Arm& arm : u.arms) {
          if (!holds(arm.condition, s, slots, actor, reads)) continue;
          Written w{cell(u.symbol, a, b), symbol.weak, {}};
          if (arm.any) w.values = domain(symbol.type);
          else w.values.push_back(value(arm.value, s, slots, actor, reads));
          written.push_back(std::move(w));
          break;
        }
      }
  }
  std::vector<std::size_t> at(written.size(), 0);
  for (std::size_t results = 0; results < most_results; ++results) {
    State next = s;
    Entry entry;
    entry.transition = static_cast<std::uint16_t>(number);
    for (std::size_t i = 0; i < written.size(); ++i) {
      if (written[i].weak && buffers) entry.cells.emplace_back(written[i].cell, written[i].values[at[i]]);
      else next.memory[written[i].cell] = written[i].values[at[i]];
    }
    std::sort(entry.cells.begin(), entry.cells.end());
    if (!entry.cells.empty()) next.buffers[actor].push_back(std::move(entry));
    if (!trusted_away(next) && found(std::move(next))) return true;
    std::size_t i = 0;
    while (i < at.size() && ++at[i] == written[i].values.size()) at[i++] = 0;
    if (i == at.size()) return false;
  }
  if (full != nullptr) *full = true;
  return false;
} catch (const Inexact&) {
  if (full != nullptr) *full = true;
  return false;
}

std::vector<unsigned> CubicleMachine::flushable(const State& s, unsigned p) const {
  std::vector<unsigned> result;
  const auto& buffer = s.buffers[p];
  for (unsigned k = 0; k < buffer.size(); ++k) {
    bool free = true;
    for (unsigned older = 0; older < k && free; ++older) {
      if (fifo_) free = false;
      for (const auto& [c, v] : buffer[older].cells)
        for (const auto& [d, w] : buffer[k].cells)
          if (c == d) free = false;
    }
    if (free) result.push_back(k);
  }
  return result;
}

CubicleMachine::State CubicleMachine::flush(const State& s, unsigned p, unsigned k) const {
  State next = s;
  for (const auto& [c, v] : s.buffers[p][k].cells) next.memory[c] = v;
  next.buffers[p].erase(next.buffers[p].begin() + k);
  return next;
}

bool CubicleMachine::exists(const cubicle::Block& block, const State& s, std::vector<unsigned>* who) const {
  for (auto slots : tuples(block.parameters)) {
    const std::vector<unsigned> parameters = slots;
    if (!holds(block.formula, s, slots, processes_, nullptr)) continue;
    if (who != nullptr) *who = parameters;
    return true;
  }
  return false;
}

int CubicleMachine::unsafe(const State& s, std::vector<unsigned>* who) const {
  for (std::size_t u = 0; u < system_.unsafe.size(); ++u) try {
      if (exists(system_.unsafe[u], s, who)) return static_cast<int>(u);
    } catch (const Inexact&) {
      continue;  // what depends on a number that is not held exactly is not confirmed
    }
  return -1;
}

bool CubicleMachine::trusted_away(const State& s) const try {
  return std::any_of(system_.invariants.begin(), system_.invariants.end(),
                     [&](const cubicle::Block& b) { return exists(b, s, nullptr); });
} catch (const Inexact&) {
  return true;
}

std::string CubicleMachine::cell_name(std::uint32_t c) const {
  std::size_t s = system_.symbols.size();
  while (s-- > 0)
    if (offsets_[s] <= c) break;
  const cubicle::Symbol& symbol = system_.symbols[s];
  const std::uint32_t at = c - offsets_[s];
  if (symbol.arity == 0) return symbol.name;
  if (symbol.arity == 1) return symbol.name + "[#" + std::to_string(at + 1) + "]";
  return symbol.name + "[#" + std::to_string(at / processes_ + 1) + ",#" + std::to_string(at % processes_ + 1) + "]";
}

std::string CubicleMachine::value_name(std::uint32_t c, std::int64_t v) const {
  std::size_t s = system_.symbols.size();
  while (s-- > 0)
    if (offsets_[s] <= c) break;
  const cubicle::Type& type = system_.types[system_.symbols[s].type];
  switch (type.kind) {
    case cubicle::Type::Kind::Enumeration: return type.constructors[static_cast<std::size_t>(v)];
    case cubicle::Type::Kind::Proc: return "#" + std::to_string(v + 1);
    case cubicle::Type::Kind::Real: {
      char text[32];
      std::snprintf(text, sizeof text, "%g", static_cast<double>(v) / static_cast<double>(unit));
      return text;
    }
    case cubicle::Type::Kind::Int:
    case cubicle::Type::Kind::Abstract: break;
  }
  return std::to_string(v);
}

}  // namespace heddle::check
