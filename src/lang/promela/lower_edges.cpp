// SPDX-License-Identifier: Apache-2.0
#include "lang/promela/lower_edges.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "ir/eval.h"

namespace heddle::promela {
namespace {

using ir::Assignment;
using ir::Edge;
using ir::ExprId;
using ir::no_expr;
using Kind = Statement::Kind;

class Edges {
 public:
  Edges(ir::Program& program, Tables& tables, std::uint32_t instance)
      : p_(program),
        t_(tables),
        number_(instance),
        instance_(tables.instances[instance]),
        claim_(tables.model.proctypes[instance_.proctype].claim),
        x_(program, tables, tables.model.source, instance) {}

  void all() {
    const Flow& flow = t_.flows[instance_.proctype];
    for (const FlowEdge& e : flow.edges) lower(e);
    if (!claim_)
      for (const FlowEdge& e : flow.edges) keep_waiting(e);
  }

 private:
  [[noreturn]] void fail(const Token& at, std::string message, std::string hint = {}) const {
    mistake(t_.model.source, at, std::move(message), std::move(hint));
  }

  // Edges that are never enabled are left out. A place that has no other still is none where the process may end: one
  // edge stays, so that waiting there for ever is an invalid end state.
  void keep_waiting(const FlowEdge& flow) {
    auto& process = p_.processes[instance_.process];
    const std::uint32_t source = instance_.begin + flow.from;
    if (std::ranges::any_of(process.edges, [&](std::uint32_t e) { return p_.edges[e].source == source; })) return;
    x_.set_text(one_line(t_.model.source, flow.first, flow.last));
    Edge edge;
    edge.process = instance_.process;
    edge.number = static_cast<std::uint32_t>(process.edges.size());
    edge.source = source;
    edge.target = instance_.begin + flow.to;
    edge.site = x_.site(flow.first);
    edge.guard = x_.constant(0);
    process.edges.push_back(static_cast<std::uint32_t>(p_.edges.size()));
    p_.edges.push_back(std::move(edge));
  }

  void lower(const FlowEdge& flow) {
    x_.set_text(flow.end ? "-end-" : one_line(t_.model.source, flow.first, flow.last));
    Edge edge;
    edge.process = instance_.process;
    edge.source = instance_.begin + flow.from;
    edge.target = instance_.begin + flow.to;
    edge.site = x_.site(flow.first);
    edge.holds = flow.holds;
    edge.fence = flow.locked;
    locked_ = flow.locked;
    if (flow.end) return end(std::move(edge), flow);
    std::vector<ExprId> guards;
    for (const Statement* s : flow.unless) guards.push_back(x_.negation(x_.executable(*s)));
    if (flow.fails()) {
      for (const Statement* s : flow.statements) {
        guards.push_back(x_.executable(*s));
        effect(*s, edge);
      }
      for (const Statement* s : flow.blocked) guards.push_back(x_.negation(x_.executable(*s)));
      Assignment failure;
      failure.kind = Assignment::Kind::Fail;
      failure.failure = ir::Status::Blocked;
      failure.site = edge.site;
      edge.effects.push_back(failure);
      return add(std::move(edge), guards);
    }
    if (flow.statements.empty()) return add(std::move(edge), guards);
    const Statement& first = *flow.statements.front();
    if (claim_ && first.kind != Kind::Condition && first.kind != Kind::Else && first.kind != Kind::Assert)
      fail(first.first, "a never claim only observes: conditions and assertions", "");
    if (first.kind == Kind::Fence && first.among_stores) {
      if (!locked_) edge.effects.push_back(assign(t_.mark_var, x_.constant(0)));
    } else if (first.kind == Kind::Fence) {
      edge.fence = true;
      edge.fence_all = first.everybody;
    }
    for (const Statement* s : flow.statements)
      if (s->kind == Kind::Condition) guards.push_back(x_.value(s->value[0]));
    const auto rest = [&](Edge& e) {
      for (const Statement* s : flow.statements) effect(*s, e);
    };
    for (const Statement* s : flow.statements) {
      if (s->kind == Kind::Send) return send(*s, edge, guards, rest);
      if (s->kind == Kind::Receive) return receive(*s, edge, guards, rest);
      if (s->kind == Kind::Run) return run(*s, edge, guards, rest);
    }
    rest(edge);
    add(std::move(edge), guards);
  }

  Assignment store(const Cell& cell, ExprId value, const Token& at) {
    Assignment a;
    a.var = cell.leaf->var;
    a.index = cell.index;
    a.value = value;
    a.atomic = locked_ && p_.variables[a.var].in_memory();
    a.site = x_.site(at);
    if (cell.leaf->type.base == Base::Unsigned && value != no_expr) {
      const ExprId mask = x_.constant((1 << cell.leaf->type.bits) - 1);
      a.value = ir::make_binary(p_, ir::Op::BitAnd, value, mask, core::no_site);
    }
    return a;
  }

  Assignment assign(std::uint32_t var, ExprId value) const {
    Assignment a;
    a.var = var;
    a.value = value;
    return a;
  }

  // Values that nobody keeps: only an error in them matters.
  void evaluate(const Statement& s, Edge& edge) {
    for (const Node& n : s.value) {
      Assignment a;
      a.kind = Assignment::Kind::Nothing;
      a.value = x_.value(n);
      if (may_fail(a.value)) edge.effects.push_back(a);
    }
  }

  bool may_fail(ExprId id) const {
    if (id == no_expr) return false;
    const ir::Expr& e = p_.expr(id);
    return e.op == ir::Op::Div || e.op == ir::Op::Mod || e.op == ir::Op::Index || may_fail(e.left) || may_fail(e.right);
  }

  // A statement that never blocks.
  void effect(const Statement& s, Edge& edge) {
    if (s.kind == Kind::Print) {
      evaluate(s, edge);
    } else if (s.kind == Kind::Assign) {
      if (s.reference->symbol == none) return evaluate(s, edge);  // _ = e
      edge.effects.push_back(store(x_.cell(*s.reference), x_.value(s.value[0]), s.first));
    } else if (s.kind == Kind::Assert) {
      Assignment a;
      a.kind = Assignment::Kind::Assert;
      a.value = x_.value(s.value[0]);
      a.site = x_.site(s.first);
      edge.effects.push_back(a);
    }
  }

  template <class Rest>
  void send(const Statement& s, const Edge& edge, const std::vector<ExprId>& guards, const Rest& rest) {
    for (const Possible& possible : x_.possible_channels(*s.reference, s.value.size(), s.first)) {
      const ir::Channel& channel = p_.channels[possible.channel];
      Edge one = edge;
      one.sync = ir::Sync::Send;
      one.channel = possible.channel;
      one.sorted = s.sorted && channel.capacity != 0;
      for (std::size_t i = 0; i < s.value.size(); ++i) {
        ExprId value = x_.value(s.value[i]);
        one.values.push_back(channel.capacity == 0 ? converted(value, channel.types[i]) : value);
      }
      rest(one);
      auto all = guards;
      all.push_back(possible.when);
      add(std::move(one), all);
    }
  }

  // The value as an item of this type holds it; buffers do this by themselves.
  ExprId converted(ExprId value, ir::Type type) {
    if (p_.expr(value).op == ir::Op::Const) return x_.constant(truncated(p_.expr(value).value, type));
    if (type == ir::Type::Bit || type == ir::Type::Bool || type == ir::Type::Byte)
      return ir::make_binary(p_, ir::Op::BitAnd, value, x_.constant(type == ir::Type::Byte ? 255 : 1), core::no_site);
    if (type == ir::Type::Int) return value;
    const ExprId by = x_.constant(16);
    return ir::make_binary(p_, ir::Op::Shr, ir::make_binary(p_, ir::Op::Shl, value, by, core::no_site), by,
                           core::no_site);
  }

  template <class Rest>
  void receive(const Statement& s, const Edge& edge, const std::vector<ExprId>& guards, const Rest& rest) {
    for (const Possible& possible : x_.possible_channels(*s.reference, s.arguments.size(), s.first)) {
      const bool buffered = p_.channels[possible.channel].capacity != 0;
      Edge one = edge;
      one.sync = ir::Sync::Receive;
      one.channel = possible.channel;
      one.random = s.random && buffered;
      one.keep = s.keep && buffered;
      if (s.keep && !buffered) fail(s.first, "a message of a rendezvous channel cannot stay in it");
      one.match = x_.match(s.arguments);
      for (std::uint32_t i = 0; i < s.arguments.size(); ++i) {
        const Argument& a = s.arguments[i];
        Assignment target;
        target.kind = Assignment::Kind::Nothing;
        if (a.target && a.target->symbol != none) {
          const Cell cell = x_.cell(*a.target);
          const bool masked = cell.leaf->type.base == Base::Unsigned;
          target = store(cell, masked ? ir::make_message(p_, i) : no_expr, s.first);
        }
        one.targets.push_back(target);
      }
      rest(one);
      auto all = guards;
      all.push_back(possible.when);
      add(std::move(one), all);
    }
  }

  // A process of the first free place of its proctype begins.
  template <class Rest>
  void run(const Statement& s, const Edge& edge, const std::vector<ExprId>& guards, const Rest& rest) {
    const auto& proctypes = t_.model.proctypes;
    const auto callee = static_cast<std::uint32_t>(
        std::ranges::find_if(proctypes, [&](const Proctype& p) { return p.name == s.name; }) - proctypes.begin());
    const auto& places = t_.places[callee];
    std::vector<ExprId> taken;
    for (const std::uint32_t place : places) {
      Edge one = edge;
      one.fence = true;
      begin(s, callee, place, one);
      rest(one);
      auto all = guards;
      all.insert(all.end(), taken.begin(), taken.end());
      if (places.size() > 1 || t_.capped[callee]) all.push_back(x_.negation(x_.alive(place)));
      taken.push_back(x_.alive(place));
      add(std::move(one), all);
    }
    if (!t_.capped[callee]) return;
    Edge full = edge;
    Assignment bound;
    bound.kind = Assignment::Kind::Fail;
    bound.failure = ir::Status::Bound;
    bound.site = edge.site;
    full.effects = {bound};
    taken.insert(taken.end(), guards.begin(), guards.end());
    add(std::move(full), taken);
  }

  void begin(const Statement& s, std::uint32_t callee, std::uint32_t place, Edge& edge) {
    const Instance& born = t_.instances[place];
    const Proctype& proctype = t_.model.proctypes[callee];
    const ExprId count = ir::make_var(p_, t_.count_var);
    const auto& storage = t_.storage[1 + place];
    for (std::size_t i = 0; i < proctype.parameters.size(); ++i) {
      const Leaf& leaf = storage.at(proctype.parameters[i]).front();
      edge.effects.push_back(store({&leaf, no_expr}, x_.value(s.value[i]), s.first));
    }
    if (s.reference && s.reference->symbol != none)
      edge.effects.push_back(store(x_.cell(*s.reference), count, s.first));
    edge.effects.push_back(assign(born.pid_var, count));
    edge.effects.push_back(
        assign(t_.count_var, ir::make_binary(p_, ir::Op::Add, count, x_.constant(1), core::no_site)));
    Expressions own(p_, t_, t_.model.source, place);
    own.set_text(one_line(t_.model.source, s.first, s.last));
    for (const std::uint32_t local : proctype.locals)
      for (const Leaf& leaf : storage.at(local))
        for (std::uint32_t i = 0; i < p_.variables[leaf.var].length; ++i) {
          const Node* const initial = leaf.initial(i);
          if (initial == nullptr) continue;
          const Cell cell{&leaf, leaf.dims.empty() ? no_expr : x_.constant(static_cast<std::int32_t>(i))};
          edge.effects.push_back(store(cell, own.value(*initial), s.first));
        }
    Assignment enter;
    enter.kind = Assignment::Kind::Enter;
    enter.var = born.process;
    enter.value = x_.constant(static_cast<std::int32_t>(born.begin));
    edge.effects.push_back(enter);
  }

  // Only the youngest process ends; its variables are 0 and its channels empty then.
  void end(Edge edge, const FlowEdge& flow) {
    if (claim_) {
      ir::Assertion reached;
      reached.condition = x_.constant(0);
      x_.set_text("the never claim ends here");
      reached.site = x_.site(flow.first);
      ir::ControlState& last = p_.processes[instance_.process].states[edge.source];
      last.assertions.push_back(reached);
      // The end of a claim is also accepting: it may be reached by stuttering after the system has ended.
      last.accept = true;
      edge.target = edge.source;
      add(std::move(edge), {});
      return;
    }
    edge.target = instance_.dead;
    edge.fence = true;
    edge.holds = false;
    edge.ends = true;
    const ExprId last = ir::make_binary(p_, ir::Op::Sub, ir::make_var(p_, t_.count_var), x_.constant(1), core::no_site);
    edge.effects.push_back(assign(t_.count_var, last));
    for (const auto& [symbol, leaves] : t_.storage[1 + number_])
      for (const Leaf& leaf : leaves) {
        const ir::Variable& v = p_.variables[leaf.var];
        if (v.constant) continue;
        const bool made = t_.model.symbols[symbol].channel.has_value();  // then it names its channels again
        for (std::uint32_t i = 0; i < v.length; ++i) {
          Assignment a = assign(leaf.var, x_.constant(made ? v.initial[i] : 0));
          if (v.array) a.index = x_.constant(static_cast<std::int32_t>(i));
          edge.effects.push_back(a);
        }
      }
    for (const auto& [symbol, made] : t_.channels[1 + number_])
      for (const std::uint32_t channel : made) {
        Assignment a = assign(channel, no_expr);
        a.kind = Assignment::Kind::Empty;
        if (p_.channels[channel].capacity != 0) edge.effects.push_back(a);
      }
    if (!instance_.initial) edge.effects.push_back(assign(instance_.pid_var, x_.constant(0)));
    add(std::move(edge), {x_.equal(x_.process_id(number_), last)});
  }

  void add(Edge edge, const std::vector<ExprId>& guards) {
    edge.guard = x_.all_of(guards);
    if (edge.guard != no_expr && p_.expr(edge.guard).op == ir::Op::Const && p_.expr(edge.guard).value == 0) return;
    auto& process = p_.processes[instance_.process];
    edge.number = static_cast<std::uint32_t>(process.edges.size());
    if (!locked_ && p_.several_accesses == core::no_site && accesses(edge) > 1) p_.several_accesses = edge.site;
    process.edges.push_back(static_cast<std::uint32_t>(p_.edges.size()));
    p_.edges.push_back(std::move(edge));
  }

  // Different cells of shared memory that the edge reads, and its stores.
  std::size_t accesses(const Edge& edge) const {
    std::set<std::string> reads;
    std::size_t stores = 0;
    const auto read = [&](ExprId root) {
      std::vector<ExprId> todo{root};
      while (!todo.empty()) {
        const ExprId id = todo.back();
        todo.pop_back();
        if (id == no_expr) continue;
        const ir::Expr& e = p_.expr(id);
        if ((e.op == ir::Op::Var || e.op == ir::Op::Index) && p_.variables[e.var].in_memory())
          reads.insert(p_.show(id));
        todo.push_back(e.left);
        todo.push_back(e.right);
      }
    };
    read(edge.guard);
    read(edge.match);
    for (const ExprId v : edge.values) read(v);
    for (const auto* list : {&edge.targets, &edge.effects})
      for (const Assignment& a : *list) {
        read(a.index);
        read(a.value);
        stores += a.kind == Assignment::Kind::Store && p_.variables[a.var].in_memory();
      }
    return reads.size() + stores;
  }

  ir::Program& p_;
  Tables& t_;
  const std::uint32_t number_;
  const Instance instance_;
  const bool claim_;
  bool locked_ = false;
  Expressions x_;
};

}  // namespace

std::int32_t truncated(std::int32_t value, ir::Type type) { return ir::detail::truncate(value, type); }

void lower_edges(ir::Program& program, Tables& tables, std::uint32_t instance) {
  Edges(program, tables, instance).all();
}

}  // namespace heddle::promela
