// Processes, variables and channels of a model; edges are made by lower_edges.cpp.
// SPDX-License-Identifier: Apache-2.0
#include "lang/promela/lower.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "lang/promela/lower_edges.h"

namespace heddle::promela {
namespace {

ir::Type type_of(const TypeName& t, bool array = false) {
  if (array && (t.base == Base::Bit || t.base == Base::Bool)) return ir::Type::Byte;  // as in SPIN
  switch (t.base) {
    case Base::Bit: return ir::Type::Bit;
    case Base::Bool: return ir::Type::Bool;
    case Base::Short: return ir::Type::Short;
    case Base::Int: return ir::Type::Int;
    case Base::Unsigned: return t.bits == 1 ? ir::Type::Bit : t.bits <= 8 ? ir::Type::Byte : ir::Type::Int;
    default: return ir::Type::Byte;
  }
}

class Lowering {
 public:
  explicit Lowering(Tables& tables) : t_(tables), m_(tables.model) {}

  ir::Program run() {
    p_.name = m_.source.files.front();
    p_.wraps = true;
    for (const Proctype& proctype : m_.proctypes) t_.flows.push_back(flow_of(m_, proctype));
    make_instances();
    t_.storage.resize(1 + t_.instances.size());
    t_.channels.resize(1 + t_.instances.size());
    hidden_variables();
    identities();
    for (const std::uint32_t g : m_.globals) store(g, globally);
    for (std::uint32_t i = 0; i < t_.instances.size(); ++i) {
      const Proctype& proctype = m_.proctypes[t_.instances[i].proctype];
      for (const std::uint32_t local : proctype.locals) store(local, i);
    }
    channel_tables();
    initial_values();
    for (std::uint32_t i = 0; i < t_.instances.size(); ++i) lower_edges(p_, t_, i);
    return std::move(p_);
  }

 private:
  [[noreturn]] void fail(const Token& at, std::string message, std::string hint = {}) const {
    mistake(m_.source, at, std::move(message), std::move(hint));
  }

  std::uint32_t proctype_named(const Statement& run) const {
    const auto found = std::ranges::find_if(m_.proctypes, [&](const Proctype& p) { return p.name == run.name; });
    if (found == m_.proctypes.end() || found->claim)
      fail(run.first, fmt::format("there is no proctype `{}`", run.name));
    if (found->parameters.size() != run.value.size())
      fail(run.first,
           fmt::format("`{}` has {} parameters, not {}", run.name, found->parameters.size(), run.value.size()));
    return static_cast<std::uint32_t>(found - m_.proctypes.begin());
  }

  // How many processes `run` can make of each proctype at most.
  std::vector<std::uint32_t> places() {
    constexpr std::uint32_t most = 255;
    const std::size_t count = m_.proctypes.size();
    std::vector<std::vector<std::uint32_t>> makes(count, std::vector<std::uint32_t>(count));  // one Q makes so many P
    t_.capped.assign(count, false);
    for (std::size_t q = 0; q < count; ++q) {
      const std::vector<bool> loops = t_.flows[q].on_cycles();
      for (std::uint32_t e = 0; e < t_.flows[q].edges.size(); ++e)
        for (const Statement* s : t_.flows[q].edges[e].statements) {
          if (s->kind != Statement::Kind::Run) continue;
          const std::uint32_t p = proctype_named(*s);
          if (loops[e]) t_.capped[p] = true;
          makes[q][p] += loops[e] ? places_in_loops : 1;
        }
    }
    const std::vector<bool> recursive = made_by_recursion(makes);
    std::vector<std::uint32_t> result(count, 0);
    for (std::size_t round = 0; round <= count; ++round) {  // a fixed point where nothing is recursive
      std::vector<std::uint32_t> next(count, 0);
      for (std::size_t q = 0; q < count; ++q)
        for (std::size_t p = 0; p < count; ++p)
          next[p] = std::min<std::uint32_t>(
              most + 1, next[p] + std::min<std::uint32_t>(most, (m_.proctypes[q].active + result[q])) * makes[q][p]);
      result = next;
    }
    for (std::size_t p = 0; p < count; ++p) {
      if (t_.capped[p]) result[p] = std::min(result[p], places_in_loops);
      if (recursive[p] && result[p] != 0) result[p] = places_in_loops;
      t_.capped[p] = t_.capped[p] || recursive[p] || result[p] > most;
      result[p] = std::min(result[p], most);
    }
    return result;
  }

  // The proctypes of which a proctype that runs itself, directly or through others, makes any number of processes.
  static std::vector<bool> made_by_recursion(const std::vector<std::vector<std::uint32_t>>& makes) {
    const std::size_t count = makes.size();
    std::vector<std::vector<bool>> leads(count, std::vector<bool>(count));  // the transitive closure
    for (std::size_t q = 0; q < count; ++q)
      for (std::size_t p = 0; p < count; ++p) leads[q][p] = makes[q][p] != 0;
    for (std::size_t via = 0; via < count; ++via)
      for (std::size_t q = 0; q < count; ++q)
        for (std::size_t p = 0; p < count; ++p) leads[q][p] = leads[q][p] || (leads[q][via] && leads[via][p]);
    std::vector<bool> result(count);
    for (std::size_t q = 0; q < count; ++q)
      for (std::size_t p = 0; p < count; ++p) result[p] = result[p] || (leads[q][q] && leads[q][p]);
    return result;
  }

  void make_instances() {
    const auto wanted = places();
    std::int32_t pid = 0;
    t_.places.resize(m_.proctypes.size());
    for (std::uint32_t i = 0; i < m_.proctypes.size(); ++i)
      for (std::uint32_t k = 0; k < m_.proctypes[i].active; ++k)
        add_instance(i, true, pid++, k, m_.proctypes[i].active);
    if (pid > 255) fail(m_.proctypes.front().token, "there are more than 255 processes");
    first_count_ = pid;
    for (std::uint32_t i = 0; i < m_.proctypes.size(); ++i)
      for (std::uint32_t k = 0; k < wanted[i]; ++k) {
        t_.places[i].push_back(static_cast<std::uint32_t>(t_.instances.size()));
        add_instance(i, false, 0, k + m_.proctypes[i].active, wanted[i] + m_.proctypes[i].active);
      }
    if (t_.instances.size() > 1000) fail(m_.proctypes.front().token, "`run` makes too many processes");
    for (std::uint32_t i = 0; i < m_.proctypes.size(); ++i) {
      const bool accepts =
          std::ranges::any_of(t_.flows[i].labels, [](const auto& l) { return l.first.starts_with("accept"); });
      if (accepts && !m_.proctypes[i].claim)
        p_.remarks.push_back(
            fmt::format("`accept` labels count in a never claim only, not in `{}`", m_.proctypes[i].name));
      if (t_.capped[i])
        p_.process_bound +=
            fmt::format("{}{} processes of {}", p_.process_bound.empty() ? "" : ", ", wanted[i], m_.proctypes[i].name);
      if (!m_.proctypes[i].claim) continue;
      p_.property = static_cast<std::uint32_t>(t_.instances.size());
      add_instance(i, true, 0, 0, 1);
    }
  }

  void add_instance(std::uint32_t proctype, bool initial, std::int32_t pid, std::uint32_t k, std::uint32_t of) {
    const Proctype& source = m_.proctypes[proctype];
    const Flow& flow = t_.flows[proctype];
    Instance instance;
    instance.proctype = proctype;
    instance.process = static_cast<std::uint32_t>(p_.processes.size());
    instance.initial = initial;
    instance.pid = pid;
    ir::Process process;
    process.name = of == 1   ? source.name
                   : initial ? fmt::format("{}[{}]", source.name, pid)
                             : fmt::format("{}#{}", source.name, k + 1);
    std::unordered_map<std::string, unsigned> used;
    for (std::uint32_t s = 0; s < flow.states.size(); ++s) {
      ir::ControlState state;
      const FlowState& at = flow.states[s];
      state.name = !at.labels.empty() ? at.labels.front()
                   : s == flow.final  ? "end"
                                      : fmt::format("line {}", at.token.line);
      if (const unsigned n = ++used[state.name]; n > 1) state.name += fmt::format(" ({})", n);
      for (const std::string& label : at.labels) {
        state.end |= label.starts_with("end");
        state.accept |= label.starts_with("accept");
        state.progress |= label.starts_with("progress");
      }
      state.end |= s == flow.final;
      process.states.push_back(std::move(state));
    }
    if (!source.claim && (!initial || flow.final != none)) {
      instance.dead = static_cast<std::uint32_t>(process.states.size());
      ir::ControlState dead;
      dead.name = "-";
      dead.end = true;
      process.states.push_back(std::move(dead));
    }
    process.initial = initial ? 0 : instance.dead;
    p_.processes.push_back(std::move(process));
    t_.instances.push_back(instance);
  }

  std::uint32_t add_variable(std::string name, std::uint32_t process, ir::Type type, std::vector<std::int32_t> initial,
                             bool array = false) {
    ir::Variable v;
    v.name = std::move(name);
    v.process = process;
    v.type = type;
    v.array = array;
    v.length = static_cast<std::uint32_t>(initial.size());
    v.initial = std::move(initial);
    p_.variables.push_back(std::move(v));
    const auto number = static_cast<std::uint32_t>(p_.variables.size() - 1);
    if (process != ir::none) p_.processes[process].locals.push_back(number);
    return number;
  }

  std::uint32_t add_hidden(const char* name, std::int32_t value) {
    const std::uint32_t v = add_variable(name, ir::none, ir::Type::Short, {value});
    p_.variables[v].hidden = true;
    return v;
  }

  void hidden_variables() {
    t_.count_var = add_hidden("_nr_pr", first_count_);
    bool holds = false;
    for (const Flow& flow : t_.flows) holds |= std::ranges::any_of(flow.edges, &FlowEdge::holds);
    if (holds) p_.holder = add_hidden("atomic", 0);
    if (uses_timeout()) p_.timeout = add_hidden("timeout", 0);
    if (m_.orders_stores) t_.mark_var = add_variable("sync_stores", ir::none, ir::Type::Byte, {0});
    for (Instance& instance : t_.instances)
      if (!instance.initial) instance.pid_var = add_variable("_pid", instance.process, ir::Type::Byte, {0});
  }

  bool uses_timeout() const {
    const std::function<bool(const Node&)> in_node = [&](const Node& n) {
      return n.kind == Node::Kind::Timeout || std::ranges::any_of(n.children, in_node);
    };
    const std::function<bool(const Sequence&)> in_sequence = [&](const Sequence& sequence) {
      return std::ranges::any_of(sequence, [&](const Statement& s) {
        return std::ranges::any_of(s.value, in_node) || std::ranges::any_of(s.body, in_sequence);
      });
    };
    return std::ranges::any_of(m_.proctypes, [&](const Proctype& p) { return in_sequence(p.body); });
  }

  void identity(std::uint32_t length) {
    if (t_.identities.contains(length)) return;
    std::vector<std::int32_t> cells(length);
    for (std::uint32_t i = 0; i < length; ++i) cells[i] = static_cast<std::int32_t>(i);
    const std::uint32_t v = add_variable(fmt::format("index below {}", length), ir::none, ir::Type::Int, cells, true);
    p_.variables[v].constant = true;
    t_.identities.emplace(length, v);
  }

  void identities() {
    for (const Symbol& symbol : m_.symbols)
      if (symbol.array && (symbol.type.base == Base::Structure || symbol.channel)) identity(symbol.length);
    for (const Structure& structure : m_.structures)
      for (const Symbol& field : structure.fields)
        if (field.array) identity(field.length);
  }

  // A variable holds the number of a channel, from 1, or 0: it is looked up in the table for messages of the statement's
  // length, and what it finds must be an index of all channels.
  void channel_tables() {
    const auto count = static_cast<std::uint32_t>(p_.channels.size());
    if (count == 0) return;
    identity(count + 1);
    const auto table = [&](std::size_t arity) {
      if (t_.usable.contains(arity)) return;
      std::vector<std::int32_t> cells{static_cast<std::int32_t>(count + 1)};
      for (std::uint32_t i = 0; i < count; ++i)
        cells.push_back(
            static_cast<std::int32_t>(arity == none || p_.channels[i].types.size() == arity ? i + 1 : count + 1));
      const std::uint32_t v = add_variable("channels", ir::none, ir::Type::Int, cells, true);
      p_.variables[v].constant = true;
      t_.usable.emplace(arity, v);
    };
    table(none);
    for (const ir::Channel& channel : p_.channels) table(channel.types.size());
  }

  void add_leaves(const std::string& path, const TypeName& type, std::vector<std::uint32_t> dims,
                  std::vector<Leaf>& leaves, const Token& at, const Symbol& declared) const {
    std::uint64_t cells = 1;
    for (const std::uint32_t d : dims) cells = std::min<std::uint64_t>(cells * d, 1U << 30);
    if (cells > (1U << 20) || leaves.size() > 10000) fail(at, "this variable is too big");
    if (type.base != Base::Structure) {
      leaves.push_back({path, type, std::move(dims), ir::none, &declared});
      return;
    }
    for (const Symbol& field : m_.structures[type.structure].fields) {
      std::vector<std::uint32_t> inner = dims;
      if (field.array) inner.push_back(field.length);
      add_leaves(path + "." + field.name, field.type, std::move(inner), leaves, at, field);
    }
  }

  void store(std::uint32_t number, std::uint32_t instance) {
    const Symbol& symbol = m_.symbols[number];
    const bool global = instance == globally;
    const std::size_t where = global ? 0 : 1 + instance;
    std::vector<std::int32_t> ids;
    if (symbol.channel) {
      auto& made = t_.channels[where][number];
      for (std::uint32_t i = 0; i < symbol.length; ++i) {
        made.push_back(add_channel(symbol, i, instance));
        ids.push_back(static_cast<std::int32_t>(made.back() + 1));
      }
      if (p_.channels.size() > 255) fail(symbol.token, "there are more than 255 channels");
      if (!global && t_.capped[t_.instances[instance].proctype])
        fail(symbol.token, "a channel inside a proctype that `run` makes in a loop is not supported",
             "declare it outside, as an array of channels");
    }
    std::vector<Leaf> leaves;
    add_leaves("", symbol.type, symbol.array ? std::vector{symbol.length} : std::vector<std::uint32_t>{}, leaves,
               symbol.token, symbol);
    const bool fixed = symbol.channel && !symbol.assigned;
    const std::uint32_t process = global || fixed ? ir::none : t_.instances[instance].process;
    for (Leaf& leaf : leaves) {
      std::size_t cells = 1;
      for (const std::uint32_t d : leaf.dims) cells *= d;
      if ((cells_ += cells) > most_cells) fail(symbol.token, "the variables of this model are too big");
      std::vector<std::int32_t> initial = ids;
      initial.resize(cells, 0);
      leaf.var = add_variable(symbol.name + leaf.path, process, type_of(leaf.type, leaf.declared->array),
                              std::move(initial), !leaf.dims.empty());
      p_.variables[leaf.var].constant = fixed;
      if (global && leaf.type.base == Base::Chan && !fixed) p_.variables[leaf.var].hidden = true;
    }
    t_.storage[where][number] = std::move(leaves);
  }

  std::uint32_t add_channel(const Symbol& symbol, std::uint32_t cell, std::uint32_t instance) {
    ir::Channel channel;
    channel.name =
        instance == globally ? symbol.name : p_.processes[t_.instances[instance].process].name + "." + symbol.name;
    if (symbol.array) channel.name += fmt::format("[{}]", cell);
    channel.typed = true;
    channel.capacity = symbol.channel->capacity;
    for (const TypeName& field : symbol.channel->fields) {
      std::vector<Leaf> leaves;
      add_leaves("", field, {}, leaves, symbol.token, symbol);
      for (const Leaf& leaf : leaves) {
        if (!leaf.dims.empty() || field.base == Base::Structure)
          fail(symbol.token, "a structure as an item of a message is not supported", "send its fields");
        channel.types.push_back(type_of(leaf.type));
      }
    }
    p_.channels.push_back(std::move(channel));
    return static_cast<std::uint32_t>(p_.channels.size() - 1);
  }

  // The value of an initialiser before the first step.
  std::int32_t initial_value(const Node& n, std::uint32_t instance) {
    Expressions expressions(p_, t_, m_.source, instance);
    const std::function<std::int32_t(const Node&)> evaluate = [&](const Node& e) -> std::int32_t {
      switch (e.kind) {
        case Node::Kind::Number: return e.number;
        case Node::Kind::ProcessId: return t_.instances[instance].pid;
        case Node::Kind::ProcessCount: return first_count_;
        case Node::Kind::Conditional: return evaluate(e.children[evaluate(e.children[0]) != 0 ? 1 : 2]);
        case Node::Kind::Unary:
          return p_.expr(ir::make_unary(p_, e.op, ir::make_const(p_, evaluate(e.children[0])))).value;
        case Node::Kind::Binary: {
          const ir::ExprId left = ir::make_const(p_, evaluate(e.children[0]));
          const ir::ExprId right = ir::make_const(p_, evaluate(e.children[1]));
          const ir::Expr result = p_.expr(ir::make_binary(p_, e.op, left, right, core::no_site));
          if (result.op != ir::Op::Const) fail(e.token, "division by zero in an initial value");
          return result.value;
        }
        case Node::Kind::Variable: {
          const Cell cell = expressions.cell(*e.reference);
          const ir::Variable& v = p_.variables[cell.leaf->var];
          if (cell.index == ir::no_expr) return v.initial[0];
          const ir::Expr index = p_.expr(cell.index);
          if (index.op == ir::Op::Const && static_cast<std::uint32_t>(index.value) < v.length)
            return v.initial[static_cast<std::uint32_t>(index.value)];
          fail(e.token, "an index in an initial value is a constant within the array");
        }
        default: fail(e.token, "this is not supported in an initial value", "assign it in a statement");
      }
    };
    return evaluate(n);
  }

  void initial_values() {
    const auto set = [&](std::uint32_t number, std::uint32_t instance) {
      for (const Leaf& leaf : t_.storage[instance == globally ? 0 : 1 + instance].at(number))
        for (std::uint32_t i = 0; i < p_.variables[leaf.var].length; ++i) {
          const Node* const initial = leaf.initial(i);
          if (initial == nullptr) continue;
          std::int32_t value = initial_value(*initial, instance);
          if (leaf.type.base == Base::Unsigned) value &= (1 << leaf.type.bits) - 1;
          p_.variables[leaf.var].initial[i] = truncated(value, p_.variables[leaf.var].type);
        }
    };
    for (const std::uint32_t g : m_.globals) set(g, globally);
    for (std::uint32_t i = 0; i < t_.instances.size(); ++i)
      if (t_.instances[i].initial)
        for (const std::uint32_t local : m_.proctypes[t_.instances[i].proctype].locals) set(local, i);
  }

  Tables& t_;
  const Model& m_;
  ir::Program p_;
  std::int32_t first_count_ = 0;
  std::size_t cells_ = 0;
  static constexpr std::size_t most_cells = std::size_t{1} << 21;
};

}  // namespace

ir::Program lower(Tables& tables) { return Lowering(tables).run(); }

}  // namespace heddle::promela
