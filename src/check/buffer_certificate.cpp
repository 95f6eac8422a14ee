// SPDX-License-Identifier: Apache-2.0
#include "check/buffer_certificate.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "ir/eval.h"

namespace heddle::check {
namespace {

using Arc = ir::BufferSets::Arc;
using Cells = std::map<std::uint32_t, std::int32_t>;  // newest buffered value of a cell
using Memory = std::vector<std::int32_t>;

// An automaton with several initial states.
struct Automaton {
  ir::BufferSets::Automaton states;
  std::set<std::uint32_t> initial;

  std::uint32_t add() {
    states.emplace_back();
    return static_cast<std::uint32_t>(states.size() - 1);
  }
};

bool same_symbol(const Arc& a, const Arc& b) {
  return a.local == b.local && a.value == b.value && (a.local || a.cell == b.cell);
}

// Is every word of `small` one of `big`? Runs both; `big` in all ways at once.
bool included(const Automaton& small, const Automaton& big) {
  std::set<std::pair<std::uint32_t, std::set<std::uint32_t>>> seen;
  std::vector<std::pair<std::uint32_t, std::set<std::uint32_t>>> todo;
  for (const std::uint32_t q : small.initial) todo.emplace_back(q, big.initial);
  while (!todo.empty()) {
    auto [q, set] = todo.back();
    todo.pop_back();
    if (!seen.emplace(q, set).second) continue;
    for (const Arc& arc : small.states[q]) {
      std::set<std::uint32_t> next;
      bool accepts = false;
      for (const std::uint32_t b : set)
        for (const Arc& other : big.states[b]) {
          if (!same_symbol(arc, other)) continue;
          accepts = true;
          next.insert(other.target);
        }
      if (arc.local && !accepts) return false;
      if (!arc.local) todo.emplace_back(arc.target, std::move(next));
    }
  }
  return true;
}

struct Written {
  std::uint32_t cell;
  std::int32_t value;
};

// A process's view: memory behind what it has buffered behind what the step itself has stored.
class Port {
 public:
  static constexpr bool direct = false;
  Port(std::vector<std::int32_t>& array, const Memory& memory, const Cells& buffered, std::uint32_t mark = ir::none)
      : array_(array), memory_(memory), seen_(buffered), mark_(mark) {}
  std::int32_t* words() { return array_.data(); }
  std::int32_t load(std::uint32_t cell) const {
    const auto found = seen_.find(cell);
    return found == seen_.end() ? memory_[cell] : found->second;
  }
  bool store(std::uint32_t cell, std::int32_t value, bool) {
    if (cell == mark_) return true;
    written.push_back({cell, value});
    seen_[cell] = value;
    return true;
  }
  void set(std::uint32_t index, std::int32_t value) { array_[index] = value; }
  std::vector<Written> written;

 private:
  std::vector<std::int32_t>& array_;
  const Memory& memory_;
  Cells seen_;
  const std::uint32_t mark_;  // a store-store fence that is nothing: stores keep their order
};

class Checker {
 public:
  Checker(const ir::Program& program, const ir::BufferSets& sets, const BufferClaim& claim, core::Budget& budget)
      : program_(program), sets_(sets), claim_(claim), budget_(budget), array_(program.image) {}

  BufferCertificateCheck run() {
    if (!well_formed()) return {false, "the certificate is malformed: " + why_, std::nullopt};
    for (const auto& a : sets_.automata) automata_.push_back({a, {0}});
    for (std::size_t i = 0; i < sets_.states.size(); ++i) by_memory_[sets_.states[i].memory].push_back(i);
    read_cells();
    check_initial();
    for (number_ = 0; why_.empty() && number_ < sets_.states.size(); ++number_) {
      check_state(sets_.states[number_]);
      if (auto over = budget_.over()) return {false, {}, std::move(over)};
    }
    if (why_.empty() && unfollowed_) return {false, {}, unfollowed_};
    return {why_.empty(), why_, std::nullopt};
  }

 private:
  struct Result {
    const ir::Edge* edge;
    std::uint32_t local;
    std::vector<Written> written;
    bool error;
  };

  bool malformed(std::string why) {
    why_ = std::move(why);
    return false;
  }

  bool well_formed() {
    const std::size_t processes = program_.processes.size();
    if (sets_.locals.size() != processes) return malformed("it has another number of processes");
    words_.resize(processes);
    locals_.resize(processes);
    for (std::uint32_t w = program_.shared_cells; w < program_.variable_words; ++w)
      if (program_.owner[w] < processes) words_[program_.owner[w]].push_back(w);
    for (std::size_t p = 0; p < processes; ++p)
      for (const auto& local : sets_.locals[p]) {
        if (local.size() != words_[p].size()) return malformed("a local state has another number of variables");
        if (static_cast<std::uint32_t>(local[0]) >= program_.processes[p].states.size())
          return malformed("a control state does not exist");
        if (!locals_[p].emplace(local, static_cast<std::uint32_t>(locals_[p].size())).second)
          return malformed("a local state stands twice");
      }
    for (const auto& automaton : sets_.automata) {
      if (automaton.empty()) return malformed("an automaton has no state");
      for (const auto& state : automaton)
        for (const Arc& arc : state)
          if (arc.target >= automaton.size() || (!arc.local && arc.cell >= program_.shared_cells) ||
              (arc.local && arc.value < 0))
            return malformed("an arc leads nowhere");
    }
    for (const auto& state : sets_.states) {
      if (state.memory.size() != program_.shared_cells) return malformed("a memory has another number of cells");
      if (state.automata.size() != processes) return malformed("a state has another number of buffers");
      for (std::size_t p = 0; p < processes; ++p) {
        if (state.automata[p] >= sets_.automata.size()) return malformed("an automaton does not exist");
        for (const auto& arcs : sets_.automata[state.automata[p]])
          for (const Arc& arc : arcs)
            if (arc.local && static_cast<std::size_t>(arc.value) >= sets_.locals[p].size())
              return malformed("a local state does not exist");
      }
    }
    return true;
  }

  // The cells that some condition, index or value of the process reads.
  void read_cells() {
    cells_.resize(program_.processes.size());
    for (const ir::Edge& edge : program_.edges) {
      if (edge.ends) continue;
      auto& cells = cells_[edge.process];
      read(edge.guard, cells);
      for (const ir::Assignment& a : edge.effects) {
        read(a.index, cells);
        read(a.value, cells);
      }
    }
    for (std::uint32_t p = 0; p < program_.processes.size(); ++p)
      for (const ir::ControlState& state : program_.processes[p].states)
        for (const ir::Assertion& a : state.assertions) read(a.condition, cells_[p]);
  }
  void read(ir::ExprId id, std::set<std::uint32_t>& cells) const {
    if (id == ir::no_expr) return;
    const ir::Expr& e = program_.expr(id);
    if (e.op == ir::Op::Var || e.op == ir::Op::Index) {
      const ir::Variable& v = program_.variables[e.var];
      for (std::uint32_t i = 0; v.in_memory() && i < v.length; ++i) cells.insert(v.base + i);
    }
    read(e.left, cells);
    read(e.right, cells);
  }

  void put(std::uint32_t p, const std::vector<std::int32_t>& local) {
    for (std::size_t i = 0; i < words_[p].size(); ++i) array_[words_[p][i]] = local[i];
  }

  std::vector<std::int32_t> own_words(std::uint32_t p) const {
    std::vector<std::int32_t> values;
    for (const std::uint32_t w : words_[p]) values.push_back(array_[w]);
    return values;
  }

  // A local state that the certificate does not name is in none of its languages: it gets a number of its own.
  std::uint32_t number_of(std::uint32_t p, const std::vector<std::int32_t>& local) {
    const auto next = static_cast<std::uint32_t>(locals_[p].size());
    const auto [at, fresh] = locals_[p].try_emplace(local, next);
    if (fresh) extra_[{p, next}] = local;
    return at->second;
  }
  const std::vector<std::int32_t>& local(std::uint32_t p, std::uint32_t number) const {
    return number < sets_.locals[p].size() ? sets_.locals[p][number] : extra_.at({p, number});
  }

  std::vector<Result> steps(std::uint32_t p, std::uint32_t at, const Memory& memory, const Cells& buffered) {
    std::vector<Result> results;
    const std::vector<std::int32_t> before = local(p, at);
    for (const std::uint32_t number : program_.processes[p].states[static_cast<std::uint32_t>(before[0])].starts) {
      const ir::Edge& edge = program_.edges[number];
      if (edge.ends) continue;
      put(p, before);
      Port port(array_, memory, buffered, sets_.order == ir::StoreOrder::Program ? program_.mark : ir::none);
      ir::EvalResult result{ir::Status::True, core::no_site};
      if (edge.guard_code != ir::no_code) result = evaluate(program_, edge.guard_code, port);
      if (result.status == ir::Status::False) continue;
      if (result.status == ir::Status::True && edge.effect_code != ir::no_code)
        result = evaluate(program_, edge.effect_code, port);
      if (result.status != ir::Status::True) {
        results.push_back({&edge, at, {}, true});
        continue;
      }
      array_[program_.processes[p].control] = static_cast<std::int32_t>(edge.target);
      results.push_back({&edge, number_of(p, own_words(p)), std::move(port.written), false});
    }
    return results;
  }

  static bool locked(const ir::Edge& e) { return e.atomic_stores != 0 || e.holds || e.fence_all; }

  bool covers(const Memory& memory, const std::vector<const Automaton*>& languages) const {
    const auto here = by_memory_.find(memory);
    if (here == by_memory_.end()) return false;
    return std::ranges::any_of(here->second, [&](const std::size_t number) {
      const ir::BufferSets::State& s = sets_.states[number];
      for (std::size_t p = 0; p < languages.size(); ++p)
        if (!included(*languages[p], automata_[s.automata[p]])) return false;
      return true;
    });
  }

  void missing(const std::string& what) {
    if (why_.empty()) why_ = fmt::format("state {}: {}", number_ + 1, what);
  }

  void check_initial() {
    const Memory memory(program_.image.begin(), program_.image.begin() + program_.shared_cells);
    std::vector<Automaton> words(program_.processes.size());
    std::vector<const Automaton*> languages;
    for (std::uint32_t p = 0; p < words.size(); ++p) {
      std::vector<std::int32_t> start;
      for (const std::uint32_t w : words_[p]) start.push_back(program_.image[w]);
      words[p] = only(number_of(p, start));
      languages.push_back(&words[p]);
    }
    if (!covers(memory, languages)) why_ = "the initial state is in none of the states";
  }

  static Automaton only(std::uint32_t local) {
    Automaton a;
    a.initial.insert(a.add());
    a.states[0].push_back({true, 0, static_cast<std::int32_t>(local), 0});
    return a;
  }

  void check_state(const ir::BufferSets::State& state) {
    std::vector<const Automaton*> languages;
    for (const std::uint32_t a : state.automata) languages.push_back(&automata_[a]);
    for (std::uint32_t p = 0; p < languages.size() && why_.empty(); ++p) {
      check_moves(state, languages, p);
      check_commits(state, languages, p);
      check_locked(state, languages, p);
    }
    check_bad(state, languages);
  }

  // One step of process p from every content: the results stand in `moved`.
  void check_moves(const ir::BufferSets::State& state, std::vector<const Automaton*> languages, std::uint32_t p) {
    struct Place {
      std::uint32_t q;
      Cells newest;
      bool empty;
      auto operator<=>(const Place&) const = default;
    };
    const Automaton& old = *languages[p];
    Automaton moved;
    std::map<Place, std::uint32_t> numbers;
    std::vector<Place> todo;
    const auto node = [&](Place place) {
      const auto [at, fresh] = numbers.try_emplace(place, 0);
      if (fresh) {
        at->second = moved.add();
        todo.push_back(std::move(place));
      }
      return at->second;
    };
    for (const std::uint32_t q : old.initial) moved.initial.insert(node({q, {}, true}));
    while (!todo.empty() && why_.empty()) {
      const Place place = todo.back();
      todo.pop_back();
      const std::uint32_t from = numbers.at(place);
      for (const Arc& arc : old.states[place.q]) {
        if (!arc.local) {
          Place next{arc.target, place.newest, false};
          if (cells_[p].contains(arc.cell)) next.newest[arc.cell] = arc.value;
          const std::uint32_t to = node(std::move(next));
          moved.states[from].push_back({false, arc.cell, arc.value, to});
          continue;
        }
        const auto here = static_cast<std::uint32_t>(arc.value);
        check_assertions(p, here, state.memory, place.newest);
        for (const Result& r : steps(p, here, state.memory, place.newest)) {
          if (locked(*r.edge) || (r.edge->fence && !place.empty)) continue;
          if (r.error) {
            if (claim_.errors) missing(fmt::format("a step of {} ends in an error", program_.processes[p].name));
            continue;
          }
          std::uint32_t at = from;
          for (const Written& w : r.written) {
            const std::uint32_t to = moved.add();
            moved.states[at].push_back({false, w.cell, w.value, to});
            at = to;
          }
          moved.states[at].push_back({true, 0, static_cast<std::int32_t>(r.local), 0});
        }
      }
    }
    if (!why_.empty()) return;
    languages[p] = &moved;
    if (!included(moved, old) && !covers(state.memory, languages))
      missing(fmt::format("a step of {} leads out of the states", program_.processes[p].name));
  }

  void check_assertions(std::uint32_t p, std::uint32_t here, const Memory& memory, const Cells& newest) {
    if (!claim_.errors) return;
    const auto& values = local(p, here);
    for (const ir::Assertion& a : program_.processes[p].states[static_cast<std::uint32_t>(values[0])].assertions) {
      put(p, values);
      Port port(array_, memory, newest);
      if (evaluate(program_, a.code, port).status != ir::Status::True)
        missing(fmt::format("an assertion of {} does not hold", program_.processes[p].name));
    }
  }

  void check_commits(const ir::BufferSets::State& state, std::vector<const Automaton*> languages, std::uint32_t p) {
    const Automaton& old = *languages[p];
    std::set<std::pair<std::uint32_t, std::int32_t>> stores;
    for (const auto& arcs : old.states)
      for (const Arc& arc : arcs)
        if (!arc.local) stores.emplace(arc.cell, arc.value);
    for (const auto& [cell, value] : stores) {
      if (!why_.empty()) return;
      const Automaton rest =
          sets_.order == ir::StoreOrder::Program ? without_first(old, cell, value) : without_oldest(old, cell, value);
      if (rest.initial.empty()) continue;
      Memory memory = state.memory;
      memory[cell] = value;
      languages[p] = &rest;
      if (!accepts_something(rest) || covers(memory, languages)) continue;
      missing(fmt::format("the commit of {} = {} by {} leads out of the states", program_.word_name(cell), value,
                          program_.processes[p].name));
    }
  }

  static bool accepts_something(const Automaton& a) {
    std::set<std::uint32_t> seen = a.initial;
    std::vector<std::uint32_t> todo(seen.begin(), seen.end());
    while (!todo.empty()) {
      const std::uint32_t q = todo.back();
      todo.pop_back();
      for (const Arc& arc : a.states[q]) {
        if (arc.local) return true;
        if (seen.insert(arc.target).second) todo.push_back(arc.target);
      }
    }
    return false;
  }

  static Automaton without_first(const Automaton& old, std::uint32_t cell, std::int32_t value) {
    Automaton rest{old.states, {}};
    for (const std::uint32_t q : old.initial)
      for (const Arc& arc : old.states[q])
        if (!arc.local && arc.cell == cell && arc.value == value) rest.initial.insert(arc.target);
    return rest;
  }

  // Location order: the oldest store to the cell goes, from behind stores to other cells, but not from behind a mark; a
  // mark goes from the front. Pairs (state, has it gone?).
  Automaton without_oldest(const Automaton& old, std::uint32_t cell, std::int32_t value) const {
    const auto n = static_cast<std::uint32_t>(old.states.size());
    Automaton rest;
    rest.states.resize(2 * std::size_t{n});
    // What a removal at q leads to is what its target can do: arcs of that target are added at q.
    const auto behind = [&](std::uint32_t q) {
      std::vector<Arc> arcs = old.states[q];
      for (Arc& arc : arcs)
        if (!arc.local) arc.target += n;
      return arcs;
    };
    for (std::uint32_t q = 0; q < n; ++q) {
      rest.states[n + q] = behind(q);
      for (const Arc& arc : old.states[q]) {
        if (arc.local) continue;
        if (arc.cell != cell) {
          if (arc.cell != program_.mark && cell != program_.mark) rest.states[q].push_back(arc);
        } else if (arc.value == value) {
          const auto more = behind(arc.target);
          rest.states[q].insert(rest.states[q].end(), more.begin(), more.end());
        }
      }
    }
    rest.initial = old.initial;
    return rest;
  }

  // Locked instructions and atomic sections, from contents without a store.
  void check_locked(const ir::BufferSets::State& state, std::vector<const Automaton*> languages, std::uint32_t p) {
    for (const std::uint32_t l : resting(*languages[p])) section(state.memory, languages, p, l);
  }

  void section(const Memory& memory, const std::vector<const Automaton*>& languages, std::uint32_t p,
               std::uint32_t at) {
    struct Point {
      Memory memory;
      std::uint32_t local;
      bool inside, drained;
      auto operator<=>(const Point&) const = default;
    };
    const bool all_may_rest =
        std::ranges::none_of(languages, [](const Automaton* language) { return resting(*language).empty(); });
    std::set<Point> seen;
    std::vector<Point> todo{{memory, at, false, false}};
    while (!todo.empty() && why_.empty()) {
      const Point point = todo.back();
      todo.pop_back();
      bool any = false;
      for (const Result& r : steps(p, point.local, point.memory, {})) {
        if (!point.inside && !locked(*r.edge)) continue;
        any = true;
        if (r.edge->fence_all && !all_may_rest) continue;
        if (r.error) {
          if (claim_.errors) missing(fmt::format("a step of {} ends in an error", program_.processes[p].name));
          continue;
        }
        Point next{point.memory, r.local, r.edge->holds, point.drained || r.edge->fence_all};
        for (const Written& w : r.written) next.memory[w.cell] = w.value;
        if (!next.inside) {
          arrive(next.memory, languages, p, next.local, next.drained);
        } else if (seen.insert(next).second) {
          check_inside(next.memory, languages, p, next.local, next.drained);
          todo.push_back(std::move(next));
        }
      }
      if (point.inside && !any) arrive(point.memory, languages, p, point.local, point.drained);
    }
  }

  // Process p in the middle of a section: others are where they were.
  void check_inside(const Memory& memory, const std::vector<const Automaton*>& languages, std::uint32_t p,
                    std::uint32_t at, bool drained) {
    check_assertions(p, at, memory, {});
    std::vector<std::set<std::uint32_t>> where, empty;
    for (const Automaton* a : languages) {
      empty.push_back(resting(*a));
      where.push_back(drained ? empty.back() : ends(*a));
    }
    where[p] = {at};
    empty[p] = {};  // in a section nobody ends
    check_goals(memory, where, empty);
  }

  void arrive(const Memory& memory, std::vector<const Automaton*> languages, std::uint32_t p, std::uint32_t at,
              bool drained) {
    std::vector<Automaton> emptied(languages.size());
    for (std::uint32_t q = 0; drained && q < languages.size(); ++q) {
      emptied[q].initial.insert(emptied[q].add());
      for (const std::uint32_t i : languages[q]->initial)
        for (const Arc& arc : languages[q]->states[i])
          if (arc.local) emptied[q].states[0].push_back({true, 0, arc.value, 0});
      languages[q] = &emptied[q];
    }
    const Automaton alone = only(at);
    languages[p] = &alone;
    if (!covers(memory, languages))
      missing(fmt::format("a locked instruction of {} leads out of the states", program_.processes[p].name));
  }

  // The local states in which contents end; those without a store.
  static std::set<std::uint32_t> ends(const Automaton& a) {
    std::set<std::uint32_t> locals;
    for (const auto& arcs : a.states)
      for (const Arc& arc : arcs)
        if (arc.local) locals.insert(static_cast<std::uint32_t>(arc.value));
    return locals;
  }
  static std::set<std::uint32_t> resting(const Automaton& a) {
    std::set<std::uint32_t> locals;
    for (const std::uint32_t q : a.initial)
      for (const Arc& arc : a.states[q])
        if (arc.local) locals.insert(static_cast<std::uint32_t>(arc.value));
    return locals;
  }

  void check_bad(const ir::BufferSets::State& state, const std::vector<const Automaton*>& languages) {
    std::vector<std::set<std::uint32_t>> anywhere, empty;
    for (const Automaton* a : languages) {
      anywhere.push_back(ends(*a));
      empty.push_back(resting(*a));
    }
    check_goals(state.memory, anywhere, empty);
    if (claim_.deadlocks) check_deadlock(state, empty);
  }

  // `empty`: where processes may be without a buffered store.
  void check_goals(const Memory& memory, const std::vector<std::set<std::uint32_t>>& where,
                   const std::vector<std::set<std::uint32_t>>& empty) {
    for (const BufferClaim::Goal& goal : claim_.goals)
      if (may_hold(goal, memory, where))
        missing(fmt::format("it holds what '{}' forbids", program_.propositions[goal.proposition].text));
    if (!claim_.goals.empty() && why_.empty() && !unfollowed_) check_ended(memory, where, empty);
  }

  // The states of a proof leave out that processes end: only a condition over their variables or number notices. They
  // end one behind the other, the youngest first.
  void check_ended(const Memory& memory, std::vector<std::set<std::uint32_t>> where,
                   const std::vector<std::set<std::uint32_t>>& empty) {
    const std::vector<std::int32_t> before = array_;
    for (std::size_t p = where.size(); p-- > 0;) {
      where[p] = ended(static_cast<std::uint32_t>(p), memory, empty[p]);
      if (where[p].empty()) break;
      for (const BufferClaim::Goal& goal : claim_.goals)
        if (may_hold(goal, memory, where))
          unfollowed_ = core::Reason{core::Reason::Kind::Open,
                                     fmt::format("'{}' depends on which processes have ended, which is not followed",
                                                 program_.propositions[goal.proposition].text)};
    }
    array_ = before;
  }

  // The local states of p behind its end; the number of processes in array_ is then the one behind it, too.
  std::set<std::uint32_t> ended(std::uint32_t p, const Memory& memory, const std::set<std::uint32_t>& empty) {
    std::set<std::uint32_t> locals;
    const std::vector<std::int32_t> before = array_;
    std::vector<std::int32_t> behind = array_;
    for (const std::uint32_t l : empty) {
      const std::vector<std::int32_t> values = local(p, l);
      for (const std::uint32_t number : program_.processes[p].states[static_cast<std::uint32_t>(values[0])].starts) {
        const ir::Edge& edge = program_.edges[number];
        if (!edge.ends) continue;
        array_ = before;
        put(p, values);
        Port port(array_, memory, {});
        if (edge.guard_code != ir::no_code && evaluate(program_, edge.guard_code, port).status != ir::Status::True)
          continue;
        if (edge.effect_code != ir::no_code) evaluate(program_, edge.effect_code, port);
        array_[program_.processes[p].control] = static_cast<std::int32_t>(edge.target);
        locals.insert(number_of(p, own_words(p)));
        behind = array_;
      }
    }
    array_ = behind;
    return locals;
  }

  // Somewhere among these local states; an error in the condition counts.
  bool may_hold(const BufferClaim::Goal& goal, const Memory& memory,
                const std::vector<std::set<std::uint32_t>>& where) {
    bool holds = false;
    std::copy(memory.begin(), memory.end(), array_.begin());
    all_choices(told_apart(goal, where), 0, [&] {
      Port port(array_, memory, {});
      const ir::Status status = evaluate(program_, program_.propositions[goal.proposition].code, port).status;
      holds |= ir::is_error(status) || (status == ir::Status::True) == goal.forbidden_when;
    });
    return holds;
  }

  // Of local states that are the same in all variables and control states that the condition names, one.
  std::vector<std::set<std::uint32_t>> told_apart(const BufferClaim::Goal& goal,
                                                  const std::vector<std::set<std::uint32_t>>& sets) const {
    std::vector<std::set<std::uint32_t>> few(sets.size());
    for (std::uint32_t p = 0; p < sets.size(); ++p) {
      std::set<std::int32_t> states;
      std::set<std::uint32_t> variables;
      named(program_.propositions[goal.proposition].condition, p, states, variables);
      std::set<std::vector<std::int32_t>> seen;
      for (const std::uint32_t l : sets[p]) {
        std::vector<std::int32_t> values = local(p, l);
        if (!states.contains(values[0])) values[0] = -1;
        for (std::size_t i = 1; i < values.size(); ++i)
          if (!variables.contains(program_.variable_of[words_[p][i]])) values[i] = 0;
        if (seen.insert(std::move(values)).second) few[p].insert(l);
      }
    }
    return few;
  }
  void named(ir::ExprId id, std::uint32_t p, std::set<std::int32_t>& states, std::set<std::uint32_t>& variables) const {
    if (id == ir::no_expr) return;
    const ir::Expr& e = program_.expr(id);
    if (e.op == ir::Op::InState && e.var == p) states.insert(e.value);
    if (e.op == ir::Op::Var || e.op == ir::Op::Index || e.op == ir::Op::Seen) variables.insert(e.var);
    named(e.left, p, states, variables);
    named(e.right, p, states, variables);
  }

  template <class Visit>
  void all_choices(const std::vector<std::set<std::uint32_t>>& sets, std::uint32_t p, const Visit& visit) {
    if (!why_.empty()) return;
    if (p == sets.size()) return visit();
    for (const std::uint32_t l : sets[p]) {
      put(p, local(p, l));
      all_choices(sets, p + 1, visit);
    }
  }

  void check_deadlock(const ir::BufferSets::State& state, const std::vector<std::set<std::uint32_t>>& empty) {
    bool unfinished = false;
    for (std::uint32_t p = 0; p < empty.size(); ++p) {
      bool stuck = false;
      for (const std::uint32_t l : empty[p]) {
        if (!steps(p, l, state.memory, {}).empty()) continue;
        stuck = true;
        const ir::ControlState& at = program_.processes[p].states[static_cast<std::uint32_t>(local(p, l)[0])];
        unfinished |= !at.end && !at.starts.empty();
      }
      if (!stuck) return;
    }
    if (unfinished) missing("it holds a deadlock");
  }

  const ir::Program& program_;
  const ir::BufferSets& sets_;
  const BufferClaim& claim_;
  core::Budget& budget_;
  std::vector<std::int32_t> array_;
  std::vector<std::vector<std::uint32_t>> words_;  // by process: its control state and locals
  std::vector<std::map<std::vector<std::int32_t>, std::uint32_t>> locals_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::int32_t>> extra_;
  std::vector<std::set<std::uint32_t>> cells_;
  std::vector<Automaton> automata_;
  std::map<Memory, std::vector<std::size_t>> by_memory_;
  std::size_t number_ = 0;
  std::string why_;
  std::optional<core::Reason> unfollowed_;
};

}  // namespace

BufferCertificateCheck check_buffer_sets(const ir::Program& program, const ir::BufferSets& sets,
                                         const BufferClaim& claim, core::Budget& budget) {
  return Checker(program, sets, claim, budget).run();
}

}  // namespace heddle::check
