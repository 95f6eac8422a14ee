// SPDX-License-Identifier: Apache-2.0
#include "check/cubicle_explore.h"

#include <algorithm>
#include <deque>
#include <map>

#include "support/diagnostics.h"

namespace heddle::check {

using State = CubicleMachine::State;

std::vector<std::pair<std::pair<unsigned, unsigned>, State>> flushes(const CubicleMachine& machine, const State& s) {
  std::vector<std::pair<std::pair<unsigned, unsigned>, State>> result;
  for (unsigned p = 0; p < machine.processes(); ++p)
    for (const unsigned k : machine.flushable(s, p))
      if (State next = machine.flush(s, p, k); !machine.trusted_away(next))
        result.emplace_back(std::pair{p, k}, std::move(next));
  return result;
}

CubicleExploration explore(const CubicleMachine& machine, std::size_t limit, bool whole,
                           const std::function<bool()>& stop) {
  CubicleExploration result;
  bool all = true, full = false;
  std::deque<const State*> queue;
  const auto visit = [&](const State& s) {
    if (result.states.size() >= limit) {
      all = false;
      return;
    }
    const auto [it, fresh] = result.states.insert(s);
    if (!fresh) return;
    queue.push_back(&*it);
    if (machine.unsafe(s) >= 0) result.unsafe = true;
  };
  for (const State& s : machine.initial(200, all)) visit(s);
  const cubicle::System& system = machine.system();
  while (!queue.empty() && (whole || !result.unsafe)) {
    if (stop && stop()) {
      all = false;
      break;
    }
    const State& s = *queue.front();
    queue.pop_front();
    for (std::size_t t = 0; t < system.transitions.size(); ++t)
      for (const auto& parameters : machine.tuples(system.transitions[t].parameters))
        machine.step(s, t, parameters, nullptr, &full, [&](const State& next) {
          visit(next);
          return result.states.size() >= limit;
        });
    for (const auto& [which, next] : flushes(machine, s)) visit(next);
  }
  result.complete = all && !full && result.states.size() < limit && (whole || !result.unsafe);
  return result;
}

namespace {

constexpr std::size_t most_positions = 300000;  // that a replay looks at

// A state of the machine with how far each process has come in its part of the run.
struct Position {
  State state;
  std::vector<std::size_t> done;
  friend auto operator<=>(const Position&, const Position&) = default;
};

using Path = std::vector<std::pair<CubicleMove, State>>;

class InstanceReplay {
 public:
  InstanceReplay(const CubicleMachine& machine, const std::vector<CubicleStep>& steps,
                 const std::function<bool()>& stop)
      : machine_(machine), stop_(stop) {
    const cubicle::System& system = machine.system();
    rows_.resize(machine.processes() + 1);
    for (const CubicleStep& s : steps) {
      const cubicle::Slot actor = system.transitions[s.transition].actor;
      rows_[actor == cubicle::no_slot || !system.has_weak() ? machine.processes() : s.parameters[actor]].push_back(&s);
    }
  }

  bool run() {
    bool all = true;
    for (const State& s : machine_.initial(20000, all)) {
      Position p{s, std::vector<std::size_t>(rows_.size(), 0)};
      start_ = s;
      path_.clear();
      if (descend(p)) return true;
      if (given_up_) return false;
    }
    return false;
  }

  const State& start() const { return start_; }
  const Path& path() const { return path_; }

 private:
  bool descend(const Position& p) {
    if (machine_.unsafe(p.state) >= 0) return true;
    if (!seen_.insert(p).second) return false;
    given_up_ = given_up_ || seen_.size() > most_positions || (stop_ && seen_.size() % 1024 == 0 && stop_());
    if (given_up_) return false;
    const auto go = [&](Position&& next, const CubicleMove& made) {
      path_.emplace_back(made, next.state);
      if (descend(next)) return true;
      path_.pop_back();
      return false;
    };
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (p.done[r] == rows_[r].size()) continue;
      const CubicleStep& s = *rows_[r][p.done[r]];
      bool unsafe = false;
      machine_.step(p.state, s.transition, s.parameters, nullptr, nullptr, [&](State&& state) {
        Position next{std::move(state), p.done};
        ++next.done[r];
        unsafe = go(std::move(next), {false, 0, 0, s});
        return unsafe || given_up_;
      });
      if (unsafe || given_up_) return unsafe;
    }
    for (auto& [which, next] : flushes(machine_, p.state))
      if (go({std::move(next), p.done}, {true, which.first, which.second, {}})) return true;
    return false;
  }

  const CubicleMachine& machine_;
  std::vector<std::vector<const CubicleStep*>> rows_;
  const std::function<bool()>& stop_;
  bool given_up_ = false;
  State start_;
  Path path_;
  std::set<Position> seen_;
};

std::string process_name(unsigned p) { return "#" + std::to_string(p + 1); }

// Tells the run step by step; knows who wrote each cell last.
class Teller {
 public:
  Teller(const CubicleMachine& machine, std::string_view model) : machine_(machine) {
    trace_.model = model;
    trace_.processes = machine.processes();
  }

  core::Trace tell(const State& start, const Path& path) {
    State state = start;
    for (const auto& [made, next] : path) {
      core::TraceStep out = made.flush ? flushed(state, made.process, made.entry) : stepped(state, next, made.step);
      trace_.cost = trace_.cost + out.cost;
      trace_.steps.push_back(std::move(out));
      state = next;
    }
    const std::string chosen = chosen_initially(start);
    if (!chosen.empty() && !trace_.steps.empty()) {
      core::Effect note;
      note.value = chosen;
      trace_.steps[0].effects.insert(trace_.steps[0].effects.begin(), std::move(note));
    }
    std::vector<unsigned> who;
    const int block = machine_.unsafe(state, &who);
    const cubicle::Block& b = machine_.system().unsafe[static_cast<std::size_t>(block)];
    trace_.closing = "the unsafe state";
    if (!b.name.empty()) trace_.closing += " " + b.name;
    trace_.closing += " of line " + std::to_string(b.place.line) + " is reached";
    for (std::size_t i = 0; i < who.size(); ++i)
      trace_.closing += (i == 0 ? " by " : ", ") + b.slots[i] + " = " + process_name(who[i]);
    if (!chosen.empty() && trace_.steps.empty()) trace_.closing += ", " + chosen;
    return trace_;
  }

 private:
  // What init leaves open, as this run begins: without it a reader could not follow.
  std::string chosen_initially(const State& start) const {
    constexpr unsigned most = 12;
    const std::vector<bool> fixed = machine_.fixed();
    std::string text;
    unsigned count = 0;
    for (std::uint32_t c = 0; c < fixed.size(); ++c) {
      if (fixed[c] || ++count > most) continue;
      text +=
          (count == 1 ? "initially " : ", ") + machine_.cell_name(c) + " = " + machine_.value_name(c, start.memory[c]);
    }
    return count > most ? text + ", ..." : text;
  }

  core::SourcePlace place(std::size_t transition) const {
    const cubicle::Transition& t = machine_.system().transitions[transition];
    core::SourcePlace p;
    p.file = machine_.system().file;
    p.line = t.place.line;
    p.column = t.place.column;
    p.function = t.name;
    p.text = std::string(support::line_of(machine_.system().text, t.place.line));
    return p;
  }

  core::TraceStep stepped(const State& before, const State& after, const CubicleStep& s) {
    const cubicle::System& system = machine_.system();
    const cubicle::Transition& t = system.transitions[s.transition];
    core::TraceStep out;
    const unsigned actor =
        t.actor == cubicle::no_slot ? (s.parameters.empty() ? 0 : s.parameters[0]) : s.parameters[t.actor];
    out.thread = process_name(actor);
    out.place = place(s.transition);
    out.action = t.name + "(";
    for (std::size_t i = 0; i < s.parameters.size(); ++i)
      out.action += (i == 0 ? "" : ", ") + process_name(s.parameters[i]);
    out.action += ")";
    out.move.thread = actor;
    out.move.choice = static_cast<std::uint32_t>(s.transition);
    out.parameters.assign(s.parameters.begin(), s.parameters.end());
    std::vector<CubicleMachine::Read> reads;
    machine_.step(before, s.transition, s.parameters, &reads, nullptr, [](State&&) { return true; });
    std::set<std::uint32_t> told;
    for (const CubicleMachine::Read& r : reads) {
      if (!told.insert(r.cell).second) continue;
      core::Effect e;
      e.kind = r.entry >= 0 ? core::Effect::Kind::ReadBuffer : core::Effect::Kind::ReadMemory;
      e.location = machine_.cell_name(r.cell);
      e.value = machine_.value_name(r.cell, r.value);
      e.loc = {r.cell, 0, 1};
      e.thread = r.reader;
      if (r.entry >= 0) e.from = place(before.buffers[r.reader][static_cast<std::size_t>(r.entry)].transition);
      else if (const auto w = writer_.find(r.cell); w != writer_.end()) e.from = place(w->second);
      if (r.entry < 0 && !before.buffers[r.reader].empty()) out.cost.wr = 1;
      out.effects.push_back(std::move(e));
    }
    for (std::uint32_t c = 0; c < before.memory.size(); ++c) {
      if (before.memory[c] == after.memory[c]) continue;
      const bool weak = is_weak(c);
      effect(out, weak ? core::Effect::Kind::Wrote : core::Effect::Kind::Changed, c, before.memory[c], after.memory[c]);
      if (weak) writer_[c] = s.transition;
    }
    if (actor < after.buffers.size() && after.buffers[actor].size() > before.buffers[actor].size())
      for (const auto& [c, v] : after.buffers[actor].back().cells)
        effect(out, core::Effect::Kind::Buffered, c, before.memory[c], v);
    return out;
  }

  core::TraceStep flushed(const State& before, unsigned p, unsigned k) {
    core::TraceStep out;
    const CubicleMachine::Entry& entry = before.buffers[p][k];
    out.thread = process_name(p);
    out.place = place(entry.transition);
    out.action = "flush";
    out.move.kind = core::Move::Kind::Flush;
    out.move.thread = p;
    out.move.choice = k;
    out.cost.ww = k > 0 ? 1 : 0;
    for (const auto& [c, v] : entry.cells) {
      effect(out, core::Effect::Kind::Flushed, c, before.memory[c], v);
      out.effects.back().from = place(entry.transition);
      writer_[c] = entry.transition;
    }
    return out;
  }

  bool is_weak(std::uint32_t c) const {
    const cubicle::System& system = machine_.system();
    bool weak = false;
    for (unsigned s = 0; s < system.symbols.size(); ++s)
      if (machine_.cell(s, 0, 0) <= c) weak = system.symbols[s].weak;
    return weak;
  }

  void effect(core::TraceStep& out, core::Effect::Kind kind, std::uint32_t c, std::int64_t old, std::int64_t now) {
    core::Effect e;
    e.kind = kind;
    e.location = machine_.cell_name(c);
    e.loc = {c, 0, 1};
    e.thread = out.move.thread;
    e.old = machine_.value_name(c, old);
    e.value = machine_.value_name(c, now);
    out.effects.push_back(std::move(e));
  }

  const CubicleMachine& machine_;
  core::Trace trace_;
  std::map<std::uint32_t, std::size_t> writer_;
};

}  // namespace

std::optional<core::Trace> replay(const CubicleMachine& machine, const std::vector<CubicleStep>& steps,
                                  std::string_view model, const std::function<bool()>& stop) {
  InstanceReplay r(machine, steps, stop);
  if (!r.run()) return std::nullopt;
  return Teller(machine, model).tell(r.start(), r.path());
}

namespace {

// Depth first, since a step with `:= .` has several results.
class Following {
 public:
  Following(const CubicleMachine& machine, const std::vector<CubicleMove>& moves) : machine_(machine), moves_(moves) {}

  bool from(const State& s) {
    if (path_.size() > furthest_) furthest_ = path_.size();
    if (path_.size() == moves_.size()) return machine_.unsafe(s) >= 0;
    const CubicleMove& m = moves_[path_.size()];
    if (!m.flush) return step(s, m);
    for (auto& [which, next] : flushes(machine_, s))
      if (which == std::pair{m.process, m.entry} && on(m, next)) return true;
    return false;
  }

  const Path& path() const { return path_; }
  std::size_t furthest() const { return furthest_; }

 private:
  bool step(const State& s, const CubicleMove& m) {
    bool unsafe = false;
    machine_.step(s, m.step.transition, m.step.parameters, nullptr, nullptr, [&](const State& next) {
      unsafe = on(m, next);
      return unsafe || tried_ > most_positions;
    });
    return unsafe;
  }

  bool on(const CubicleMove& made, const State& next) {
    path_.emplace_back(made, next);
    if (++tried_ <= most_positions && from(next)) return true;
    path_.pop_back();
    return false;
  }

  const CubicleMachine& machine_;
  const std::vector<CubicleMove>& moves_;
  Path path_;
  std::size_t furthest_ = 0, tried_ = 0;
};

}  // namespace

Followed follow(const CubicleMachine& machine, const std::vector<CubicleMove>& moves, std::string_view model) {
  Following following(machine, moves);
  bool all = true;
  for (const State& s : machine.initial(20000, all))
    if (following.from(s)) return {Teller(machine, model).tell(s, following.path()), ""};
  if (following.furthest() == moves.size()) return {std::nullopt, "its last state is not unsafe"};
  return {std::nullopt, "step " + std::to_string(following.furthest() + 1) + " is not possible"};
}

}  // namespace heddle::check
