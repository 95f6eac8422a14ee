// Lays out the flat array and translates expression trees to code.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "ir/program.h"
#include "support/diagnostics.h"

namespace heddle::ir {

namespace {

bool is_compare(Op op) { return op >= Op::Lt && op <= Op::Ne; }

Op negated(Op op) {
  switch (op) {
    case Op::Lt: return Op::Ge;
    case Op::Le: return Op::Gt;
    case Op::Gt: return Op::Le;
    case Op::Ge: return Op::Lt;
    case Op::Eq: return Op::Ne;
    default: return Op::Eq;
  }
}

Op jump_on(Op op) {
  switch (op) {
    case Op::Lt: return Op::JumpLt;
    case Op::Le: return Op::JumpLe;
    case Op::Gt: return Op::JumpGt;
    case Op::Ge: return Op::JumpGe;
    case Op::Eq: return Op::JumpEq;
    default: return Op::JumpNe;
  }
}

class Compiler {
 public:
  explicit Compiler(Program& program) : program_(program) {}

  Code condition(ExprId e) {
    const Code start = here();
    const Label no = label();
    branch(e, false, no);
    emit({Op::True});
    bind(no);
    emit({Op::False});
    patch();
    return start;
  }

  // Evaluates into the message registers.
  Code values(const std::vector<ExprId>& list) {
    if (list.empty()) return no_code;
    const Code start = here();
    for (std::size_t i = 0; i < list.size(); ++i)
      value_into(list[i], program_.messages + static_cast<std::uint32_t>(i));
    emit({Op::True});
    patch();
    return start;
  }

  // Without a value of its own an assignment takes the message register of its place in the list.
  Code assignments(const std::vector<Assignment>& list) {
    if (list.empty()) return no_code;
    const Code start = here();
    for (std::size_t i = 0; i < list.size(); ++i) assign(list[i], program_.messages + static_cast<std::uint32_t>(i));
    emit({Op::True});
    patch();
    return start;
  }

 private:
  using Label = std::uint32_t;

  Code here() const { return static_cast<Code>(program_.code.size()); }
  void emit(Instr i) { program_.code.push_back(i); }
  Label label() {
    labels_.push_back(none);
    return static_cast<Label>(labels_.size() - 1);
  }
  void bind(Label l) { labels_[l] = here(); }
  void jump(Instr i, Label l) {
    jumps_.push_back({here(), l});
    emit(i);
  }
  void patch() {
    for (const auto& [at, l] : jumps_) program_.code[at].c = labels_[l];
    jumps_.clear();
    labels_.clear();
    HEDDLE_ASSERT(depth_ == 0);
  }

  std::uint32_t constant(std::int32_t value) {
    const auto [at, fresh] = program_.constants.try_emplace(value, static_cast<std::uint32_t>(program_.image.size()));
    if (fresh) program_.image.push_back(value);
    return at->second;
  }
  std::uint32_t temporary() {
    if (depth_ == program_.temporaries.size()) {
      program_.temporaries.push_back(static_cast<std::uint32_t>(program_.image.size()));
      program_.image.push_back(0);
    }
    return program_.temporaries[depth_++];
  }

  const Expr& expr(ExprId e) const { return program_.exprs[e]; }
  std::uint32_t base(const Expr& e) const { return program_.variables[e.var].base; }
  std::uint32_t length(const Expr& e) const { return program_.variables[e.var].length; }
  bool constant_index(ExprId index, std::uint32_t cells) const {
    return expr(index).op == Op::Const && static_cast<std::uint32_t>(expr(index).value) < cells;
  }

  // Where the value of e is: the word itself if it is one, else a temporary that holds it. Uses up temporaries.
  std::uint32_t operand(ExprId id) {
    const Expr e = expr(id);
    if (e.op == Op::Const) return constant(e.value);
    if (e.op == Op::Var) return base(e);
    if (e.op == Op::ChannelLength) return program_.channels[e.var].base;
    if (e.op == Op::Item) return program_.channels[e.var].base + 1 + static_cast<std::uint32_t>(e.value);
    if (e.op == Op::Message) return program_.messages + static_cast<std::uint32_t>(e.value);
    if (e.op == Op::Index && constant_index(e.left, length(e)))
      return base(e) + static_cast<std::uint32_t>(expr(e.left).value);
    const std::uint32_t target = temporary();
    value_into(id, target);
    return target;
  }

  void value_into(ExprId id, std::uint32_t target) {
    const Expr e = expr(id);
    const std::size_t before = depth_;
    switch (e.op) {
      case Op::Const:
      case Op::Var:
      case Op::ChannelLength:
      case Op::Item:
      case Op::Message: emit({Op::Copy, Type::Int, false, target, operand(id)}); break;
      case Op::Index:
        if (constant_index(e.left, length(e))) {
          emit({Op::Copy, Type::Int, false, target, operand(id)});
        } else {
          const std::uint32_t index = operand(e.left);
          emit({Op::LoadIndex, Type::Int, false, target, base(e), index, length(e), e.site});
        }
        break;
      case Op::Seen: {
        const std::uint32_t cell = base(e) + (e.left == no_expr ? 0 : static_cast<std::uint32_t>(expr(e.left).value));
        emit({Op::See, Type::Int, false, target, cell, static_cast<std::uint32_t>(e.value)});
        break;
      }
      case Op::InState:
        emit({Op::Eq, Type::Int, false, target, program_.processes[e.var].control, constant(e.value)});
        break;
      case Op::Cond: {
        const Label otherwise = label(), end = label();
        branch(e.left, false, otherwise);
        value_into(expr(e.right).left, target);
        jump({Op::Jump}, end);
        bind(otherwise);
        value_into(expr(e.right).right, target);
        bind(end);
        break;
      }
      case Op::Neg:
      case Op::BitNot:
      case Op::Not: emit({e.op, Type::Int, false, target, operand(e.left)}); break;
      case Op::And:
      case Op::Or:
      case Op::Imply: {
        const Label no = label(), end = label();
        branch(id, false, no);
        emit({Op::Copy, Type::Int, false, target, constant(1)});
        jump({Op::Jump}, end);
        bind(no);
        emit({Op::Copy, Type::Int, false, target, constant(0)});
        bind(end);
        break;
      }
      default: {
        const std::uint32_t left = operand(e.left), right = operand(e.right);
        emit({e.op, Type::Int, false, target, left, right, 0, e.site});
      }
    }
    depth_ = before;
  }

  // Jumps to l if e is `sense`, else falls through.
  void branch(ExprId id, bool sense, Label l) {
    const Expr e = expr(id);
    const std::size_t before = depth_;
    if (e.op == Op::Const) {
      if ((e.value != 0) == sense) jump({Op::Jump}, l);
    } else if (e.op == Op::Not) {
      branch(e.left, !sense, l);
    } else if (e.op == Op::And || e.op == Op::Or || e.op == Op::Imply) {
      // a and b is false as soon as a is; a or b is true as soon as a is, a imply b as soon as a is false.
      const bool decided = e.op != Op::And;  // the value that the left side alone can give
      const bool by = e.op == Op::Or;        // the left side's value that gives it
      if (sense == decided) {
        branch(e.left, by, l);
        branch(e.right, sense, l);
      } else {
        const Label skip = label();
        branch(e.left, by, skip);
        branch(e.right, sense, l);
        bind(skip);
      }
    } else if (e.op == Op::InState) {
      jump({sense ? Op::JumpEq : Op::JumpNe, Type::Int, false, 0, program_.processes[e.var].control, constant(e.value)},
           l);
    } else if (is_compare(e.op)) {
      const Op op = sense ? e.op : negated(e.op);
      const Expr left = expr(e.left);
      if ((op == Op::Eq || op == Op::Ne) && left.op == Op::Index && !constant_index(left.left, length(left))) {
        const std::uint32_t index = operand(left.left), right = operand(e.right);
        jump({op == Op::Eq ? Op::JumpIndexEq : Op::JumpIndexNe, Type::Int, false, right, base(left), index, 0,
              left.site},
             l);
        emit({Op::Length, Type::Int, false, 0, 0, 0, length(left)});
      } else {
        const std::uint32_t a = operand(e.left), b = operand(e.right);
        jump({jump_on(op), Type::Int, false, 0, a, b}, l);
      }
    } else {
      jump({sense ? Op::JumpIf : Op::JumpUnless, Type::Int, false, 0, operand(id)}, l);
    }
    depth_ = before;
  }

  // Effects that are no assignment to a variable.
  void effect(const Assignment& a) {
    if (a.kind == Assignment::Kind::Enter) {
      emit({Op::Store, Type::Int, false, program_.processes[a.var].control, constant(expr(a.value).value)});
    } else if (a.kind == Assignment::Kind::Fail) {
      emit({Op::Fail, Type::Int, false, 0, static_cast<std::uint32_t>(a.failure), 0, 0, a.site});
    } else if (a.kind == Assignment::Kind::Assert) {
      const Label holds = label();
      branch(a.value, true, holds);
      emit({Op::Fail, Type::Int, false, 0, static_cast<std::uint32_t>(Status::Assertion), 0, 0, a.site});
      bind(holds);
    } else if (a.kind == Assignment::Kind::Empty) {
      const Channel& channel = program_.channels[a.var];
      for (std::uint32_t i = 0; i <= channel.capacity * channel.arity(); ++i)
        emit({Op::Store, Type::Int, false, channel.base + i, constant(0)});
    } else if (a.value != no_expr) {
      const std::size_t before = depth_;
      operand(a.value);
      depth_ = before;
    }
  }

  void assign(const Assignment& a, std::uint32_t message) {
    if (a.kind != Assignment::Kind::Store) return effect(a);
    const Variable& v = program_.variables[a.var];
    const bool shared = v.in_memory();
    const std::size_t before = depth_;
    if (a.index != no_expr && !constant_index(a.index, v.length)) {
      const std::uint32_t index = operand(a.index);
      const std::uint32_t value = a.value == no_expr ? message : operand(a.value);
      emit({shared ? Op::StoreIndexShared : Op::StoreIndex, v.type, a.atomic, v.base, value, index, v.length, a.site,
            program_.wraps});
    } else {
      const std::uint32_t target = v.base + (a.index == no_expr ? 0 : static_cast<std::uint32_t>(expr(a.index).value));
      const Op op = a.value == no_expr ? Op::Const : expr(a.value).op;
      if (!shared && (op == Op::Add || op == Op::Sub)) {
        const Expr e = expr(a.value);
        const std::uint32_t left = operand(e.left), right = operand(e.right);
        emit({op == Op::Add ? Op::StoreAdd : Op::StoreSub, v.type, false, target, left, right, 0, a.site,
              program_.wraps});
      } else {
        const std::uint32_t value = a.value == no_expr ? message : operand(a.value);
        emit({shared ? Op::StoreShared : Op::Store, v.type, a.atomic, target, value, 0, 0, a.site, program_.wraps});
      }
    }
    depth_ = before;
  }

  Program& program_;
  std::size_t depth_ = 0;
  std::vector<Code> labels_;
  std::vector<std::pair<Code, Label>> jumps_;
};

void place(Program& p, Variable& v, std::uint32_t number) {
  v.base = static_cast<std::uint32_t>(p.image.size());
  HEDDLE_ASSERT(v.initial.size() == v.length);
  p.image.insert(p.image.end(), v.initial.begin(), v.initial.end());
  p.owner.resize(p.image.size(), v.process);
  p.variable_of.resize(p.image.size(), number);
}

void lay_out(Program& p) {
  p.image.clear();
  for (std::uint32_t i = 0; i < p.variables.size(); ++i) {
    if (p.variables[i].in_memory()) place(p, p.variables[i], i);
  }
  p.shared_cells = static_cast<std::uint32_t>(p.image.size());
  for (std::uint32_t i = 0; i < p.variables.size(); ++i) {
    if (p.variables[i].process == none && !p.variables[i].in_memory()) place(p, p.variables[i], i);
  }
  for (std::uint32_t i = 0; i < p.processes.size(); ++i) {
    Process& process = p.processes[i];
    process.control = static_cast<std::uint32_t>(p.image.size());
    p.image.push_back(static_cast<std::int32_t>(process.initial));
    p.owner.push_back(i);
    p.variable_of.push_back(none);
    for (const std::uint32_t local : process.locals) place(p, p.variables[local], local);
  }
  std::uint32_t widest = 0;
  for (Channel& channel : p.channels) {
    widest = std::max(widest, channel.arity());
    if (channel.capacity == 0) continue;
    channel.base = static_cast<std::uint32_t>(p.image.size());
    p.image.resize(p.image.size() + 1 + std::size_t{channel.capacity} * channel.arity());
  }
  p.owner.resize(p.image.size(), none);
  p.variable_of.resize(p.image.size(), none);
  p.variable_words = p.messages = static_cast<std::uint32_t>(p.image.size());
  p.image.resize(p.image.size() + widest);
}

Start start_of(const Program& p, std::uint32_t number) {
  const Edge& edge = p.edges[number];
  Start s;
  s.plain = edge.sync == Sync::None;
  s.moves = edge.source != edge.target;
  s.guard = s.rest = edge.guard_code;
  s.effect = edge.effect_code;
  s.edge = number;
  s.target = static_cast<std::int32_t>(edge.target);
  if (s.guard == no_code) return s;
  const Instr& first = p.code[s.guard];
  if (first.op >= Op::JumpLt && first.op <= Op::JumpNe && p.code[first.c].op == Op::False) {
    s.reject = first.op;
    s.a = first.a;
    s.b = first.b;
    s.rest = p.code[s.guard + 1].op == Op::True ? no_code : s.guard + 1;
  }
  return s;
}

void tabulate(Program& p) {
  for (const Process& process : p.processes) {
    p.process_rows.push_back({process.control, static_cast<std::uint32_t>(p.state_rows.size())});
    for (const ControlState& state : process.states) {
      const auto first = static_cast<std::uint32_t>(p.starts.size());
      for (const std::uint32_t edge : state.starts) p.starts.push_back(start_of(p, edge));
      p.state_rows.push_back({first, static_cast<std::uint32_t>(p.starts.size())});
    }
  }
}

}  // namespace

void finish(Program& p) {
  lay_out(p);
  Compiler compiler(p);
  for (std::uint32_t i = 0; i < p.edges.size(); ++i) {
    Edge& edge = p.edges[i];
    ControlState& state = p.processes[edge.process].states[edge.source];
    const bool waits = edge.sync == Sync::Receive && p.channels[edge.channel].capacity == 0;
    (waits ? state.receives : state.starts).push_back(i);
    if (edge.guard != no_expr) edge.guard_code = compiler.condition(edge.guard);
    edge.value_code = compiler.values(edge.values);
    edge.target_code = compiler.assignments(edge.targets);
    edge.effect_code = compiler.assignments(edge.effects);
    if (edge.match != no_expr) edge.match_code = compiler.condition(edge.match);
    for (const auto* list : {&edge.targets, &edge.effects}) {
      for (const Assignment& a : *list) {
        if (a.kind != Assignment::Kind::Store || !p.variables[a.var].in_memory()) continue;
        ++edge.stores;
        if (a.atomic) ++edge.atomic_stores;
      }
    }
  }
  for (Process& process : p.processes) {
    for (ControlState& state : process.states) {
      p.has_commit |= state.commit;
      for (Assertion& assertion : state.assertions) {
        assertion.code = compiler.condition(assertion.condition);
        p.has_assertions = true;
      }
    }
  }
  tabulate(p);
  for (Proposition& assumption : p.assumptions) assumption.code = compiler.condition(assumption.condition);
  for (Proposition& proposition : p.propositions) proposition.code = compiler.condition(proposition.condition);
}

Program unfinished(const Program& p) {
  Program out;
  out.name = p.name;
  out.variables = p.variables;
  out.constants_named = p.constants_named;
  out.channels = p.channels;
  out.processes = p.processes;
  out.edges = p.edges;
  out.exprs = p.exprs;
  out.propositions = p.propositions;
  out.assumptions = p.assumptions;
  out.one_entry = p.one_entry;
  out.wraps = p.wraps;
  out.holder = p.holder;
  out.mark = p.mark;
  out.timeout = p.timeout;
  out.several_accesses = p.several_accesses;
  out.process_bound = p.process_bound;
  out.remarks = p.remarks;
  out.sites = p.sites;
  out.kind = p.kind;
  out.property = p.property;
  for (Process& process : out.processes)
    for (ControlState& state : process.states) {
      state.starts.clear();
      state.receives.clear();
    }
  for (Edge& edge : out.edges) {
    edge.guard_code = edge.value_code = edge.target_code = edge.match_code = edge.effect_code = no_code;
    edge.stores = edge.atomic_stores = 0;
  }
  return out;
}

std::uint32_t add_proposition(Program& p, ExprId condition, std::string text) {
  p.propositions.push_back({std::move(text), condition, Compiler(p).condition(condition)});
  return static_cast<std::uint32_t>(p.propositions.size() - 1);
}

}  // namespace heddle::ir
