// ir programs as DVE text. Only what a front end fills in is read, so the program need not be finished.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "lang/dve/dve.h"

namespace heddle::dve {
namespace {

class Printer {
 public:
  explicit Printer(const ir::Program& program) : p_(program) {}

  std::string run() {
    for (const ir::Constant& c : p_.constants_named)
      if (c.process == ir::none) constant(c, "");
    for (const ir::Variable& v : p_.variables)
      if (v.process == ir::none) variable(v, "");
    for (const ir::Channel& c : p_.channels) channel(c);
    for (std::uint32_t i = 0; i < p_.processes.size(); ++i) process(i);
    out_ += p_.kind == ir::SystemKind::Sync ? "system sync" : "system async";
    if (p_.property != ir::none) out_ += " property " + p_.processes[p_.property].name;
    out_ += ";\n";
    return std::move(out_);
  }

 private:
  static const char* type(ir::Type t) {
    return t == ir::Type::Byte || t == ir::Type::Bit || t == ir::Type::Bool ? "byte" : "int";
  }

  void constant(const ir::Constant& c, const char* indent) {
    out_ +=
        fmt::format("{}const {} {} = {};\n", indent, c.value >= 0 && c.value <= 255 ? "byte" : "int", c.name, c.value);
  }

  void variable(const ir::Variable& v, const char* indent) {
    out_ += fmt::format("{}{}{} {}", indent, v.constant ? "const " : "", type(v.type), v.name);
    if (v.array) out_ += fmt::format("[{}]", v.length);
    bool zero = true;
    for (const std::int32_t value : v.initial) zero = zero && value == 0;
    if (!zero || v.constant)
      out_ += v.array ? fmt::format(" = {{{}}}", fmt::join(v.initial, ", ")) : fmt::format(" = {}", v.initial[0]);
    out_ += ";\n";
  }

  void channel(const ir::Channel& c) {
    out_ += "channel ";
    if (c.typed) {
      std::vector<const char*> types;
      for (const ir::Type t : c.types) types.push_back(type(t));
      out_ += fmt::format("{{{}}} {}[{}];\n", fmt::join(types, ", "), c.name, c.capacity);
    } else {
      out_ += c.name + ";\n";
    }
  }

  void process(std::uint32_t number) {
    const ir::Process& process = p_.processes[number];
    self_ = number;
    out_ += fmt::format("\nprocess {} {{\n", process.name);
    for (const ir::Constant& c : p_.constants_named)
      if (c.process == number) constant(c, "  ");
    for (const std::uint32_t v : process.locals) variable(p_.variables[v], "  ");
    states("state", process, [](const ir::ControlState&) { return true; });
    out_ += fmt::format("  init {};\n", process.states[process.initial].name);
    states("commit", process, [](const ir::ControlState& s) { return s.commit; });
    states("accept", process, [](const ir::ControlState& s) { return s.accept; });
    for (const ir::ControlState& state : process.states)
      for (const ir::Assertion& assertion : state.assertions)
        out_ += fmt::format("  assert {}: {};\n", state.name, text(assertion.condition));
    for (std::size_t i = 0; i < process.edges.size(); ++i) {
      out_ += i == 0 ? "  trans\n    " : ",\n    ";
      edge(process, p_.edges[process.edges[i]]);
    }
    out_ += process.edges.empty() ? "}\n" : ";\n}\n";
  }

  template <class Which>
  void states(const char* word, const ir::Process& process, Which&& which) {
    std::string list;
    for (const ir::ControlState& s : process.states)
      if (which(s)) list += (list.empty() ? "" : ", ") + s.name;
    if (!list.empty()) out_ += fmt::format("  {} {};\n", word, list);
  }

  void edge(const ir::Process& process, const ir::Edge& e) {
    out_ += fmt::format("{} -> {} {{", process.states[e.source].name, process.states[e.target].name);
    if (e.guard != ir::no_expr) out_ += fmt::format(" guard {};", text(e.guard));
    if (e.sync != ir::Sync::None) {
      std::vector<std::string> items;
      for (const ir::ExprId value : e.values) items.push_back(text(value));
      for (const ir::Assignment& a : e.targets) items.push_back(place(a));
      out_ += fmt::format(" sync {}{}", p_.channels[e.channel].name, e.sync == ir::Sync::Send ? "!" : "?");
      if (items.size() == 1) out_ += items[0];
      if (items.size() > 1) out_ += fmt::format("{{{}}}", fmt::join(items, ", "));
      out_ += ";";
    }
    for (std::size_t i = 0; i < e.effects.size(); ++i)
      out_ += fmt::format("{} {} = {}", i == 0 ? " effect" : ",", place(e.effects[i]), text(e.effects[i].value));
    out_ += e.effects.empty() ? " }" : "; }";
  }

  std::string place(const ir::Assignment& a) const {
    const std::string& name = p_.variables[a.var].name;
    return a.index == ir::no_expr ? name : fmt::format("{}[{}]", name, text(a.index));
  }

  // As Program::show has it, except that the process's own variables have no owner's name and negative numbers have
  // brackets.
  std::string text(ir::ExprId id, bool top = true) const {
    const ir::Expr& e = p_.expr(id);
    switch (e.op) {
      case ir::Op::Const: return e.value < 0 ? fmt::format("({})", e.value) : std::to_string(e.value);
      case ir::Op::Var:
      case ir::Op::Index: {
        const ir::Variable& v = p_.variables[e.var];
        std::string name = v.name;
        if (v.process != ir::none && v.process != self_) name = p_.processes[v.process].name + "->" + name;
        return e.op == ir::Op::Var ? name : fmt::format("{}[{}]", name, text(e.left));
      }
      case ir::Op::InState: return p_.show(id);
      default: break;
    }
    const char* const symbol = ir::symbol(e.op);
    const std::string inner = e.right == ir::no_expr
                                  ? symbol + text(e.left, false)
                                  : fmt::format("{} {} {}", text(e.left, false), symbol, text(e.right, false));
    return top ? inner : "(" + inner + ")";
  }

  const ir::Program& p_;
  std::uint32_t self_ = ir::none;
  std::string out_;
};

}  // namespace

std::string print(const ir::Program& program) { return Printer(program).run(); }

}  // namespace heddle::dve
