// An unfolding as an ir program, and what proofs about it say of the threads.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "ir/build.h"
#include "ir/unfold.h"
#include "support/diagnostics.h"

namespace heddle::ir {

class Unfolding::Builder {
 public:
  Builder(const Unfolding& all, bool closed) : all_(all), closed_(closed) {}

  Unfolded build() {
    Program& program = out_.program;
    program.name = "threads";
    program.mark = all_.mark_;
    for (const Cell& cell : all_.cells_) add_variable(cell.name, none, cell.initial);
    const auto exits = [](const LocalState& state) { return state.request.kind == core::Kind::Exit; };
    for (const Thread& thread : all_.threads_)
      if (std::ranges::any_of(thread.states, exits)) running_ = equal(all_.exited_, 0);
    for (number_ = 0; number_ < all_.threads_.size(); ++number_) add_process(all_.threads_[number_]);
    finish(program);
    HEDDLE_ASSERT(program.shared_cells == all_.cells_.size());
    return std::move(out_);
  }

 private:
  std::uint32_t add_variable(std::string name, std::uint32_t process, std::int32_t initial) {
    Variable v;
    v.name = std::move(name);
    v.process = process;
    v.type = Type::Int;
    v.initial = {initial};
    out_.program.variables.push_back(std::move(v));
    return static_cast<std::uint32_t>(out_.program.variables.size() - 1);
  }

  void add_process(const Thread& thread) {
    Process process;
    process.name = fmt::format(
        "{} {}", thread.function.empty() ? all_.program_.thread_name(thread.entry) : thread.function, number_);
    process.locals = {hole_local_ = add_variable("asks in", number_, 0),
                      hole_value_ = add_variable("about", number_, 0)};
    for (const LocalState& state : thread.states) process.states.push_back(control(state));
    hole_ = static_cast<std::uint32_t>(process.states.size());
    ControlState hole;
    hole.name = "a hole";
    if (closed_) fail(hole, "comes to a value that has not been looked at");
    process.states.push_back(std::move(hole));
    out_.program.processes.push_back(std::move(process));
    out_.choices.emplace_back();
    out_.first_choices.push_back(thread.first);
    for (std::uint32_t l = 0; l < thread.states.size(); ++l) add_edges(l, thread.states[l]);
    add_loop(hole_);  // what comes after it is not known: no deadlock
  }

  ControlState control(const LocalState& state) {
    ControlState out;
    const core::SourcePlace place =
        state.request.site != core::no_site ? all_.program_.place(state.request.site) : core::SourcePlace{};
    out.name = place.line != 0 ? fmt::format("line {}", place.line) : "its end";
    out.end = state.kind == LocalState::Kind::Final || state.kind == LocalState::Kind::Unborn;
    if (state.kind == LocalState::Kind::Failed) fail(out, {});
    if (state.kind == LocalState::Kind::Unsupported) fail(out, state.why);
    return out;
  }

  void fail(ControlState& state, std::string unsupported) {
    const core::Site site = add_site(out_.program, {});
    HEDDLE_ASSERT(site == out_.unsupported.size());
    state.assertions.push_back({make_const(out_.program, 0), no_code, site});
    out_.unsupported.push_back(std::move(unsupported));
  }

  void add_edges(std::uint32_t l, const LocalState& state) {
    for (const Guarded& step : state.steps)
      if (const auto guard = condition(step)) add_edge(l, *guard, step.target);
    if (state.kind == LocalState::Kind::StandsStill) add_loop(l);
    if (!state.asks()) return;
    std::vector<ExprId> others;
    for (const auto& [value, target] : state.answers) {
      if (target) add_edge(l, equal(state.cell, value), *target);
      others.push_back(compare(Op::Ne, state.cell, value));
    }
    Target unknown;
    unknown.local = hole_;
    unknown.fence = state.kind == LocalState::Kind::Asks && all_.waits_for_buffer(state.request);
    Edge& edge = add_edge(l, conjunction(others), unknown);
    edge.effects.push_back(assign(hole_local_, make_const(out_.program, static_cast<std::int32_t>(l))));
    edge.effects.push_back(assign(hole_value_, make_var(out_.program, state.cell)));
  }

  void add_loop(std::uint32_t state) {
    Target still;
    still.local = state;
    add_edge(state, no_expr, still, true);
  }

  // Nothing: it never holds.
  std::optional<ExprId> condition(const Guarded& step) {
    switch (step.when) {
      case Guarded::When::Always: return no_expr;
      case Guarded::When::HasEnded:
        if (step.other >= all_.threads_.size()) return std::nullopt;
        return equal(all_.threads_[step.other].ended, 1);
      case Guarded::When::IsNone: break;
    }
    return compare(Op::Le, all_.spawned_, static_cast<std::int32_t>(std::min<std::uint64_t>(step.other, most_threads)));
  }

  Edge& add_edge(std::uint32_t from, ExprId guard, const Target& target, bool always = false) {
    Program& program = out_.program;
    Edge edge;
    edge.process = number_;
    edge.number = static_cast<std::uint32_t>(out_.choices.back().size());
    edge.source = from;
    edge.target = target.local;
    edge.guard = always ? no_expr : both(running_, guard);
    edge.fence = target.fence && !target.atomic;
    edge.holds = target.holds;
    for (const auto& [cell, value] : target.stores) {
      edge.effects.push_back(assign(cell, make_const(program, value)));
      edge.effects.back().atomic = target.atomic;
    }
    program.processes.back().edges.push_back(static_cast<std::uint32_t>(program.edges.size()));
    out_.choices.back().push_back(target.choices);
    program.edges.push_back(std::move(edge));
    return program.edges.back();
  }

  static Assignment assign(std::uint32_t variable, ExprId value) {
    Assignment a;
    a.var = variable;
    a.value = value;
    return a;
  }
  ExprId compare(Op op, std::uint32_t cell, std::int32_t value) {
    return make_binary(out_.program, op, make_var(out_.program, cell), make_const(out_.program, value), core::no_site);
  }
  ExprId equal(std::uint32_t cell, std::int32_t value) { return compare(Op::Eq, cell, value); }
  ExprId both(ExprId a, ExprId b) {
    if (a == no_expr || b == no_expr) return a == no_expr ? b : a;
    return make_binary(out_.program, Op::And, a, b, core::no_site);
  }
  // Balanced, since trees must not be deep.
  ExprId conjunction(std::span<const ExprId> list) {
    if (list.empty()) return no_expr;
    if (list.size() == 1) return list[0];
    return both(conjunction(list.first(list.size() / 2)), conjunction(list.subspan(list.size() / 2)));
  }

  const Unfolding& all_;
  const bool closed_;
  Unfolded out_;
  std::uint32_t number_ = 0, hole_ = 0, hole_local_ = 0, hole_value_ = 0;
  ExprId running_ = no_expr;  // the program has not ended
};

Unfolding::Unfolded Unfolding::unfolded(bool closed) const { return Builder(*this, closed).build(); }

std::vector<Unfolding::Question> Unfolding::holes(const BufferSets& sets) const {
  std::vector<Question> found;
  for (std::uint32_t t = 0; t < sets.locals.size(); ++t)
    for (const std::vector<std::int32_t>& words : sets.locals[t])
      if (static_cast<std::size_t>(words[0]) == threads_[t].states.size())
        found.push_back({t, static_cast<std::uint32_t>(words[1]), words[2]});
  return found;
}

bool Unfolding::has_lock_cycle(const BufferSets& sets) const {
  // By thread: bits of those that hold a lock for which it may wait.
  const auto holders = [&](const BufferSets::State& state, std::uint32_t t) {
    std::uint32_t bits = 0;
    for (const auto& arcs : sets.automata[state.automata[t]])
      for (const BufferSets::Arc& arc : arcs) {
        if (!arc.local) continue;
        const auto control = static_cast<std::size_t>(sets.locals[t][static_cast<std::size_t>(arc.value)][0]);
        if (control >= threads_[t].states.size()) continue;
        const LocalState& local = threads_[t].states[control];
        if (local.kind != LocalState::Kind::Asks || !local.request.owned) continue;
        const core::Value word = value_of(state.memory[local.cell], local.request.loc.size);
        const std::uint64_t holder = word.bits & 0xffff;
        if (word.undefined == 0 && holder != 0 && holder <= threads_.size()) bits |= 1U << (holder - 1);
      }
    return bits;
  };
  return std::ranges::any_of(sets.states, [&](const BufferSets::State& state) {
    std::vector<std::uint32_t> reached;
    for (std::uint32_t t = 0; t < threads_.size(); ++t) reached.push_back(holders(state, t));
    for (std::uint32_t via = 0; via < threads_.size(); ++via)
      for (std::uint32_t t = 0; t < threads_.size(); ++t)
        if ((reached[t] >> via & 1) != 0) reached[t] |= reached[via];
    for (std::uint32_t t = 0; t < threads_.size(); ++t)
      if ((reached[t] >> t & 1) != 0) return true;
    return false;
  });
}

}  // namespace heddle::ir
