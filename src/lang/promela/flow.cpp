// SPDX-License-Identifier: Apache-2.0
#include "lang/promela/flow.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <set>
#include <unordered_map>
#include <utility>

#include "lang/promela/one_step.h"

namespace heddle::promela {
namespace {

using Kind = Statement::Kind;

struct Context {
  std::uint32_t leave = none;  // where `break` goes
  std::uint32_t region = 0;    // number of the outermost atomic or d_step, 0 outside
  std::uint32_t step = 0;      // number of the d_step, 0 outside
};

class Builder {
 public:
  Builder(const Model& model, const Proctype& proctype) : model_(model), source_(model.source), proctype_(proctype) {}

  Flow build() {
    const std::uint32_t start = state(proctype_.token);
    final_ = state(proctype_.token);
    Context context;
    if (proctype_.body.empty()) alias_[start] = final_;
    else {
      homes_[&proctype_.body.front()] = start;
      visit(proctype_.body, final_, context);
      emit(start, proctype_.body, 0, final_, context);
    }
    while (!pending_.empty()) {
      const Pending p = pending_.front();
      pending_.pop_front();
      emit(p.from, *p.sequence, p.at, p.to, p.context);
    }
    FlowEdge end;
    end.from = end.to = final_;
    end.end = true;
    end.first = end.last = proctype_.token;
    edges_.push_back(end);
    for (const auto& [label, number] : labels_)
      if (!defined_.contains(label))
        mistake(source_, wanted_.at(label), fmt::format("there is no label `{}` in `{}`", label, proctype_.name));
    check_jumps();
    return finish(start);
  }

 private:
  struct Pending {
    std::uint32_t from;
    const Sequence* sequence;
    std::size_t at;
    std::uint32_t to;
    Context context;
  };

  std::uint32_t state(const Token& token, const Context& context = {}) {
    states_.push_back({{}, token});
    regions_.push_back(context.region);
    starts_region_.push_back(false);
    steps_.push_back(context.step);
    alias_.push_back(none);
    return static_cast<std::uint32_t>(states_.size() - 1);
  }

  std::uint32_t label(const std::string& name, const Token& at) {
    const auto [found, fresh] = labels_.try_emplace(name, 0);
    if (fresh) {
      found->second = state(at);
      wanted_.emplace(name, at);
    }
    return found->second;
  }

  void define(const std::string& name, std::uint32_t home, const Token& at) {
    const std::uint32_t number = label(name, at);
    if (!defined_.insert(name).second) mistake(source_, at, fmt::format("the label `{}` stands twice", name));
    if (number != home) alias_[number] = home;
  }

  // The state before a statement; its edges are added later.
  std::uint32_t home(const Sequence& sequence, std::size_t at, std::uint32_t to, const Context& context) {
    const Statement& s = sequence[at];
    const auto [found, fresh] = homes_.try_emplace(&s, 0);
    if (fresh) {
      found->second = state(s.first, context);
      pending_.push_back({found->second, &sequence, at, to, context});
    }
    return found->second;
  }

  // Where a jump that has no state of its own leads, or none. As in SPIN, one with a label that means something has.
  std::uint32_t jump(const Statement& s, const Context& context) {
    const bool marked = std::ranges::any_of(s.labels, [this](const std::string& l) {
      return l.starts_with("end") || l.starts_with("accept") || l.starts_with("progress") ||
             model_.observed.contains({proctype_.name, l});
    });
    return marked ? none : destination(s, context);
  }

  // Where a jump leads; none: this is no jump.
  std::uint32_t destination(const Statement& s, const Context& context) {
    if (s.kind == Kind::Goto) {
      jumps_.emplace_back(&s, context.step);
      return label(s.name, s.last);
    }
    if (s.kind != Kind::Break) return none;
    if (context.leave == none) mistake(source_, s.first, "`break` stands outside of a `do` loop");
    return context.leave;
  }

  std::uint32_t after(const Sequence& sequence, std::size_t at, std::uint32_t to, const Context& context) {
    if (at + 1 == sequence.size()) return to;
    const std::uint32_t target = jump(sequence[at + 1], context);
    return target != none ? target : home(sequence, at + 1, to, context);
  }

  // Labels, and the states of all statements but the first, whether or not they can be reached from it.
  void visit(const Sequence& sequence, std::uint32_t to, const Context& context) {
    for (std::size_t at = 0; at < sequence.size(); ++at) {
      const Statement& s = sequence[at];
      const std::uint32_t target = jump(s, context);
      if (target != none) passed_.insert(s.labels.begin(), s.labels.end());
      for (const std::string& l : s.labels)
        define(l, target != none ? target : home(sequence, at, to, context), s.first);
      if (at != 0 && target == none) home(sequence, at, to, context);
    }
  }

  FlowEdge& edge(std::uint32_t from, std::uint32_t to, const Statement& s, const Context& context) {
    FlowEdge e;
    e.from = from;
    e.to = to;
    e.first = s.first;
    e.last = s.last;
    e.locked = context.region != 0;
    region_of_.push_back(context.region);
    e.unless = unless_;
    edges_.push_back(std::move(e));
    return edges_.back();
  }

  void emit(std::uint32_t from, const Sequence& sequence, std::size_t at, std::uint32_t to, const Context& context) {
    const Statement& s = sequence[at];
    if (const std::uint32_t target = destination(s, context); target != none) {
      edge(from, target, s, context);
      return;
    }
    const std::uint32_t next = after(sequence, at, to, context);
    switch (s.kind) {
      case Kind::If:
      case Kind::Do: return options(from, sequence, at, to, next, context);
      case Kind::Atomic:
      case Kind::Deterministic:
      case Kind::Block: {
        Context inner = context;
        if (s.kind != Kind::Block && inner.region == 0) inner.region = ++last_region_;
        if (s.kind == Kind::Deterministic && inner.step == 0) inner.step = ++last_step_;
        const Sequence& body = s.body.front();
        // A loop at the start of a block goes back to the state before the block; but a d_step does not block inside,
        // so its loop has a state of its own.
        if (const auto home = homes_.find(&s);
            home != homes_.end() && home->second == from && inner.step == context.step) {
          if (regions_[from] == 0) {
            regions_[from] = inner.region;
            starts_region_[from] = true;
          }
          homes_.try_emplace(&body.front(), from);
        }
        once(body, next, inner);
        return emit(from, body, 0, next, inner);
      }
      default: break;
    }
    FlowEdge& e = edge(from, next, s, context);
    e.statements.push_back(&s);
    if (!choosing_ && from_inside(from, context)) blocked(from, {&s}, s, context);
  }

  void once(const Sequence& sequence, std::uint32_t to, const Context& context) {
    if (!visited_.insert(&sequence).second) return;
    const bool choosing = std::exchange(choosing_, false);
    visit(sequence, to, context);
    choosing_ = choosing;
  }

  // Is this state inside of a d_step? At its start a statement that blocks is only not executable.
  bool from_inside(std::uint32_t from, const Context& context) const {
    return context.step != 0 && steps_[from] == context.step;
  }

  // Inside a d_step: if none of the statements can be executed, that is an error.
  void blocked(std::uint32_t from, std::vector<const Statement*> statements, const Statement& s,
               const Context& context) {
    const auto never_blocks = [](const Statement* t) {
      return never_waits(*t) || t->kind == Kind::Else || t->kind == Kind::Goto || t->kind == Kind::Break;
    };
    if (std::ranges::any_of(statements, never_blocks)) return;
    FlowEdge& e = edge(from, from, s, context);
    e.blocked = std::move(statements);
  }

  static bool begins_with_else(const Statement& s) {
    const bool block = s.kind == Kind::Atomic || s.kind == Kind::Deterministic || s.kind == Kind::Block;
    return s.kind == Kind::Else || (block && begins_with_else(s.body.front().front()));
  }

  // `else` is executable if no other option of its own choice is, nor one that stands before that choice where the choice
  // begins an option itself: SPIN tries the options of both in their order, `else` last.
  void options(std::uint32_t from, const Sequence& sequence, std::size_t at, std::uint32_t to, std::uint32_t next,
               const Context& context) {
    const Statement& s = sequence[at];
    Context inner = context;
    std::uint32_t target = next;
    if (s.kind == Kind::Do) {
      inner.leave = next;
      target = home(sequence, at, to, context);
    }
    const std::vector<const Statement*> outer = unless_, outer_tried = tried_;
    std::vector<const Statement*> first;
    bool has_else = false;
    for (const Sequence& option : s.body) {
      first.push_back(&option.front());
      if (option.front().kind == Kind::Else && std::exchange(has_else, true))
        mistake(source_, option.front().first, "a choice has one `else`, and this is another");
    }
    for (std::size_t i = 0; i < s.body.size(); ++i) {
      const Sequence& option = s.body[i];
      once(option, target, inner);
      unless_ = outer;
      const bool otherwise = begins_with_else(option.front());
      if (otherwise) unless_.insert(unless_.end(), outer_tried.begin(), outer_tried.end());
      for (std::size_t j = 0; j < s.body.size(); ++j)
        if (j != i && !begins_with_else(*first[j]) && (otherwise || (context.step != 0 && j < i)))
          unless_.push_back(first[j]);
      if (i > 0 && !begins_with_else(*first[i - 1])) tried_.push_back(first[i - 1]);
      const bool choosing = std::exchange(choosing_, true);
      emit(from, option, 0, target, inner);
      choosing_ = choosing;
    }
    unless_ = outer;
    tried_ = outer_tried;
    if (!choosing_ && from_inside(from, context)) blocked(from, first, s, context);
  }

  std::uint32_t resolve(std::uint32_t s) const {
    for (std::size_t hops = 0; alias_[s] != none && hops <= alias_.size(); ++hops) s = alias_[s];
    return s;
  }

  // Joins an edge inside an atomic section with the statements behind it that nobody can interrupt, up to a label, which
  // conditions may name; inside a d_step also with those that may block, where one step can do both.
  void join(std::uint32_t start) {
    std::vector<bool> named(states_.size());
    for (const auto& [name, number] : labels_)
      if (const std::uint32_t at = resolve(number); steps_[at] == 0) named[at] = true;
    std::vector<std::uint32_t> in(states_.size()), out(states_.size());
    std::vector<std::uint32_t> only(states_.size()), blocks(states_.size(), none);
    for (std::uint32_t e = 0; e < edges_.size(); ++e) {
      if (edges_[e].fails()) {
        blocks[edges_[e].from] = e;
        continue;
      }
      ++in[edges_[e].to];
      ++out[edges_[e].from];
      only[edges_[e].from] = e;
    }
    std::vector<FlowEdge> fail_earlier;
    for (FlowEdge& e : edges_) {
      while (!e.fails() && e.holds && !e.statements.empty() && e.to != start && e.to != e.from && !named[e.to] &&
             in[e.to] == 1 && out[e.to] == 1) {
        FlowEdge& second = edges_[only[e.to]];
        const bool stays = blocks[e.to] != none;
        if (&second == &e || second.statements.empty() || !second.unless.empty() || !joins(e, second, stays)) break;
        if (stays) {  // then the d_step fails before anything is done
          FlowEdge& fails = edges_[std::exchange(blocks[e.to], none)];
          fails.unless = e.unless;
          fails.statements = e.statements;
          fails.from = fails.to = e.from;
          fail_earlier.push_back(fails);
          fails.from = none;
        }
        e.statements.insert(e.statements.end(), second.statements.begin(), second.statements.end());
        e.last = second.last;
        --out[e.to];
        --in[e.to];
        e.to = second.to;
        e.holds = second.holds;
        second.from = none;
        second.statements.clear();
      }
    }
    std::erase_if(edges_, [](const FlowEdge& e) { return e.from == none; });
    edges_.insert(edges_.end(), fail_earlier.begin(), fail_earlier.end());
  }

  // `may_block`: it is an error if the second edge cannot be taken.
  bool joins(const FlowEdge& e, const FlowEdge& second, bool may_block) const {
    if (std::ranges::any_of(second.statements, [](const Statement* s) { return looks_at_processes(*s); })) return false;
    const bool waits = !std::ranges::all_of(second.statements, [](const Statement* s) { return never_waits(*s); });
    const bool sends = std::ranges::any_of(e.statements, [](const Statement* s) { return s->kind == Kind::Send; });
    if (!waits && !sends) return true;
    if (steps_[e.to] == 0 || (waits && !may_block)) return false;
    std::vector<const Statement*> before = e.statements;
    for (const Statement* s : second.statements) {
      if (!joins_step(model_, before, *s)) return false;
      before.push_back(s);
    }
    return true;
  }

  std::vector<std::vector<std::uint32_t>> edges_by_source() const {
    std::vector<std::vector<std::uint32_t>> list(states_.size());
    for (std::uint32_t e = 0; e < edges_.size(); ++e) list[edges_[e].from].push_back(e);
    return list;
  }

  // As in SPIN, a d_step is entered at its start and left at its end.
  void check_jumps() const {
    for (const auto& [jump, step] : jumps_) {
      const std::uint32_t to = resolve(labels_.at(jump->name));
      if (steps_[to] == step || starts_region_[to]) continue;
      mistake(source_, jump->first, step != 0 ? "a jump out of a d_step" : "a jump into a d_step",
              "a d_step is one step, from its first statement to its last");
    }
  }

  Flow finish(std::uint32_t start) {
    region_of_.push_back(0);  // of the end
    for (std::size_t i = 0; i < edges_.size(); ++i) {
      FlowEdge& e = edges_[i];
      e.from = resolve(e.from);
      e.to = resolve(e.to);
      // A jump into the middle of another section stays atomic, one to its start does not.
      e.holds =
          region_of_[i] != 0 && (regions_[e.to] == region_of_[i] || (regions_[e.to] != 0 && !starts_region_[e.to]));
    }
    start = resolve(start);
    join(start);
    std::vector<std::uint32_t> numbers(states_.size(), none), order{start};
    numbers[start] = 0;
    const auto from = edges_by_source();
    for (std::size_t i = 0; i < order.size(); ++i)
      for (const std::uint32_t e : from[order[i]])
        if (const std::uint32_t to = edges_[e].to; numbers[to] == none) {
          numbers[to] = static_cast<std::uint32_t>(order.size());
          order.push_back(to);
        }
    Flow flow;
    for (const std::uint32_t s : order) flow.states.push_back(states_[s]);
    flow.final = numbers[resolve(final_)];
    flow.passed = std::move(passed_);
    for (FlowEdge& e : edges_) {
      if (numbers[e.from] == none) continue;
      e.from = numbers[e.from];
      e.to = numbers[e.to];
      flow.edges.push_back(std::move(e));
    }
    for (const auto& [name, number] : labels_) {
      const std::uint32_t at = numbers[resolve(number)];
      flow.labels.emplace(name, at);
      if (at != none) flow.states[at].labels.push_back(name);
    }
    return flow;
  }

  const Model& model_;
  const Source& source_;
  const Proctype& proctype_;
  std::vector<FlowState> states_;
  std::vector<std::uint32_t> regions_, steps_;  // of states: the atomic section and the d_step they are in
  std::vector<bool> starts_region_;             // of states: before the section
  std::vector<std::uint32_t> alias_;            // a state that is another one
  std::vector<FlowEdge> edges_;
  std::vector<std::uint32_t> region_of_;  // of edges
  std::unordered_map<const Statement*, std::uint32_t> homes_;
  std::set<const Sequence*> visited_;
  std::map<std::string, std::uint32_t> labels_;
  std::map<std::string, Token> wanted_;
  std::set<std::string> defined_, passed_;
  std::deque<Pending> pending_;
  std::vector<std::pair<const Statement*, std::uint32_t>> jumps_;  // with the d_step that each is in
  bool choosing_ = false;  // emitting the start of an option: that it cannot be executed is no error by itself
  std::vector<const Statement*> unless_;
  std::vector<const Statement*> tried_;  // options of enclosing choices that stand before the one that is looked at
  std::uint32_t final_ = 0, last_region_ = 0, last_step_ = 0;
};

}  // namespace

std::vector<bool> Flow::on_cycles() const {
  // An edge is on a cycle if its target leads back to its source: strongly connected components, by two passes of
  // depth-first search (Kosaraju).
  std::vector<std::vector<std::uint32_t>> out(states.size()), in(states.size());
  for (const FlowEdge& e : edges) {
    if (e.end) continue;
    out[e.from].push_back(e.to);
    in[e.to].push_back(e.from);
  }
  std::vector<std::uint32_t> finished, component(states.size(), none);
  std::vector<std::size_t> next(states.size(), 0);
  std::vector<bool> seen(states.size());
  for (std::uint32_t root = 0; root < states.size(); ++root) {
    if (seen[root]) continue;
    std::vector<std::uint32_t> path{root};
    seen[root] = true;
    while (!path.empty()) {
      const std::uint32_t at = path.back();
      if (next[at] == out[at].size()) {
        finished.push_back(at);
        path.pop_back();
      } else if (const std::uint32_t to = out[at][next[at]++]; !seen[to]) {
        seen[to] = true;
        path.push_back(to);
      }
    }
  }
  for (auto root = finished.rbegin(); root != finished.rend(); ++root) {
    if (component[*root] != none) continue;
    std::vector<std::uint32_t> todo{*root};
    component[*root] = *root;
    while (!todo.empty()) {
      const std::uint32_t at = todo.back();
      todo.pop_back();
      for (const std::uint32_t from : in[at])
        if (component[from] == none) {
          component[from] = *root;
          todo.push_back(from);
        }
    }
  }
  std::vector<bool> result;
  for (const FlowEdge& e : edges) result.push_back(!e.end && component[e.from] == component[e.to]);
  return result;
}

Flow flow_of(const Model& model, const Proctype& proctype) { return Builder(model, proctype).build(); }

}  // namespace heddle::promela
