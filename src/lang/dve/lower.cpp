// SPDX-License-Identifier: Apache-2.0
#include "lang/dve/lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/build.h"
#include "lang/dve/names.h"

namespace heddle::dve {

namespace {

constexpr std::uint64_t max_words = std::uint64_t{1} << 22;  // of a state; a mistyped length should not take all memory

class Lowering {
 public:
  Lowering(const Source& source, const SyntaxModel& syntax)
      : source_(source), syntax_(syntax), names_(source, program_, syntax) {}

  ir::Program run() {
    program_.name = source_.file;
    for (const SyntaxDeclaration& d : syntax_.declarations) declare(ir::none, d);
    for (const SyntaxChannel& c : syntax_.channels) declare_channel(c);
    for (std::uint32_t i = 0; i < syntax_.processes.size(); ++i) declare_process(i);
    program_.kind = syntax_.sync ? ir::SystemKind::Sync : ir::SystemKind::Async;
    if (syntax_.has_property) {
      program_.property = names_.process(syntax_.property);
      if (syntax_.processes.size() == 1)
        mistake(source_, syntax_.property, "the property process needs others to observe");
    }
    for (std::uint32_t i = 0; i < syntax_.processes.size(); ++i) fill_process(i);
    return std::move(program_);
  }

 private:
  std::string text(const Token& t) const { return std::string(text_of(source_, t)); }

  void count_words(const Token& place, std::uint64_t more) {
    words_ += more;
    if (words_ > max_words)
      mistake(source_, place, fmt::format("the variables and channels take more than {} cells", max_words));
  }

  void declare(std::uint32_t scope, const SyntaxDeclaration& d) {
    ir::Variable v;
    v.name = text(d.name);
    v.process = scope;
    v.constant = d.constant;
    v.type = d.type;
    v.array = d.length != no_node;
    if (v.array) {
      const std::int32_t length = names_.constant(scope, d.length, "the length of an array");
      if (length < 1) mistake(source_, names_.first_token(d.length), "an array has at least one cell");
      v.length = static_cast<std::uint32_t>(length);
    }
    count_words(d.name, v.length);
    if (v.array && !d.initial.empty() && !d.braces) {
      mistake(source_, names_.first_token(d.initial[0]), "the initial values of an array stand in braces");
    }
    if (d.constant && d.initial.empty()) mistake(source_, d.name, fmt::format("constant `{}` has no value", v.name));
    v.initial.assign(v.length, 0);
    for (std::size_t i = 0; i < d.initial.size(); ++i) {
      const std::int32_t value = names_.constant(scope, d.initial[i], "an initial value");
      if (i >= v.length) continue;  // more initialisers than cells are accepted
      const ir::Range range = ir::range_of(v.type);
      if (value < range.low || value > range.high) {
        mistake(source_, names_.first_token(d.initial[i]),
                fmt::format("{} does not fit `{}`, which holds {} to {}", value,
                            v.type == ir::Type::Byte ? "byte" : "int", range.low, range.high));
      }
      v.initial[i] = value;
    }
    if (d.constant && !v.array) {
      names_.declare(scope, d.name, {Symbol::Kind::Constant, 0, v.initial[0]});
      program_.constants_named.push_back({v.name, scope, v.initial[0]});
      return;
    }
    const auto number = static_cast<std::uint32_t>(program_.variables.size());
    names_.declare(scope, d.name, {Symbol::Kind::Variable, number, 0});
    if (scope != ir::none) program_.processes[scope].locals.push_back(number);
    program_.variables.push_back(std::move(v));
  }

  void declare_channel(const SyntaxChannel& c) {
    ir::Channel channel;
    channel.name = text(c.name);
    channel.typed = c.typed;
    channel.types = c.types;
    if (c.capacity != no_node) {
      const std::int32_t capacity = names_.constant(ir::none, c.capacity, "the capacity of a channel");
      if (capacity < 0)
        mistake(source_, names_.first_token(c.capacity), "the capacity of a channel cannot be negative");
      channel.capacity = static_cast<std::uint32_t>(capacity);
    }
    count_words(c.name, std::uint64_t{channel.capacity} * channel.types.size() + 1);
    names_.declare(ir::none, c.name, {Symbol::Kind::Channel, static_cast<std::uint32_t>(program_.channels.size()), 0});
    program_.channels.push_back(std::move(channel));
    first_use_.push_back({});
  }

  // Names, states and locals: everything that other processes may refer to.
  void declare_process(std::uint32_t number) {
    const SyntaxProcess& s = syntax_.processes[number];
    names_.declare(ir::none, s.name, {Symbol::Kind::Process, number, 0});
    program_.processes.emplace_back();
    program_.processes[number].name = text(s.name);
    for (const SyntaxDeclaration& d : s.declarations) declare(number, d);
    ir::Process& p = program_.processes[number];
    for (const Token& t : s.states) {
      names_.declare_state(number, t, static_cast<std::uint32_t>(p.states.size()));
      p.states.push_back({text(t), false, false, {}, {}, {}});
    }
    if (!s.has_init)
      mistake(source_, s.name, fmt::format("process `{}` has no initial state", p.name),
              "add `init name;` after its states");
    p.initial = names_.state(number, s.init);
    for (const Token& t : s.commits) p.states[names_.state(number, t)].commit = true;
    for (const Token& t : s.accepts) p.states[names_.state(number, t)].accept = true;
    count_words(s.name, 1);
  }

  core::Site range_site(std::uint32_t process, const Token& first, const Token& last) {
    const core::Site site = names_.site(first, process);
    program_.sites[site].text = one_line(std::string_view(source_.text).substr(first.begin, last.end - first.begin));
    return site;
  }

  void fill_process(std::uint32_t number) {
    const SyntaxProcess& s = syntax_.processes[number];
    for (const SyntaxAssert& a : s.asserts) {
      ir::Assertion assertion{names_.lower(number, a.condition), ir::no_code, range_site(number, a.first, a.last)};
      program_.processes[number].states[names_.state(number, a.state)].assertions.push_back(assertion);
    }
    for (std::uint32_t i = 0; i < s.transitions.size(); ++i) {
      program_.processes[number].edges.push_back(static_cast<std::uint32_t>(program_.edges.size()));
      program_.edges.push_back(edge(number, i, s.transitions[i]));
    }
  }

  ir::Edge edge(std::uint32_t process, std::uint32_t number, const SyntaxTransition& t) {
    ir::Edge e;
    e.process = process;
    e.number = number;
    e.source = names_.state(process, t.source);
    e.target = names_.state(process, t.target);
    e.site = range_site(process, t.first, t.last);
    if (t.guard != no_node) e.guard = names_.lower(process, t.guard);
    if (t.has_sync) synchronise(process, t, e);
    for (const SyntaxAssignment& s : t.effects) {
      ir::Assignment a = names_.target(process, s.name, s.index);
      a.value = names_.lower(process, s.value);
      e.effects.push_back(a);
    }
    return e;
  }

  void synchronise(std::uint32_t process, const SyntaxTransition& t, ir::Edge& e) {
    const Symbol symbol = names_.find(process, t.channel, "channel");
    const std::string name = text(t.channel);
    if (symbol.kind != Symbol::Kind::Channel) mistake(source_, t.channel, fmt::format("`{}` is no channel", name));
    if (program_.kind == ir::SystemKind::Sync) {
      mistake(source_, t.channel, "channels have no meaning in a `system sync`, where all processes move at once");
    }
    if (process == program_.property)
      mistake(source_, t.channel, "the property process observes the others and cannot use channels");
    e.channel = symbol.number;
    e.sync = t.sends ? ir::Sync::Send : ir::Sync::Receive;
    ir::Channel& channel = program_.channels[symbol.number];
    FirstUse& first = first_use_[symbol.number];
    if (channel.typed && t.values.size() != channel.types.size()) {
      mistake(
          source_, t.channel,
          fmt::format("channel `{}` carries {}, not {}", name, items(channel.types.size()), items(t.values.size())));
    }
    if (!channel.typed && !first.used) {
      channel.types.assign(t.values.size(), ir::Type::Int);
    } else if (t.values.size() != channel.types.size()) {
      mistake(source_, t.channel,
              fmt::format("channel `{}` carries {} in line {}, but {} here", name, items(channel.types.size()),
                          first.line, items(t.values.size())));
    }
    if (!first.used) first = {true, source_.line(t.channel)};
    for (const Node value : t.values) {
      if (t.sends) {
        e.values.push_back(names_.lower(process, value));
      } else {
        const SyntaxExpr& s = syntax_.nodes[value];
        e.targets.push_back(names_.target(process, s.token, s.left));
      }
    }
  }

  static std::string items(std::size_t n) {
    return n == 0 ? "no value" : n == 1 ? "1 value" : fmt::format("{} values", n);
  }

  struct FirstUse {
    bool used = false;
    unsigned line = 0;
  };

  const Source& source_;
  const SyntaxModel& syntax_;
  ir::Program program_;
  Names names_;
  std::vector<FirstUse> first_use_;  // by channel
  std::uint64_t words_ = 0;
};

}  // namespace

std::string one_line(std::string_view text, std::size_t limit) {
  std::string out;
  bool gap = false;
  for (std::size_t i = 0; i < text.size();) {
    if (text.substr(i, 2) == "//") {
      i = std::min(text.find('\n', i), text.size());
      gap = true;
    } else if (text.substr(i, 2) == "/*") {
      const std::size_t end = text.find("*/", i + 2);
      i = end == std::string_view::npos ? text.size() : end + 2;
      gap = true;
    } else if (static_cast<unsigned char>(text[i]) <= ' ') {
      gap = true;
      ++i;
    } else {
      if (gap && !out.empty()) out += ' ';
      gap = false;
      out += text[i++];
      if (out.size() >= limit) return out + " …";
    }
  }
  return out;
}

ir::Program lower(const Source& source, const SyntaxModel& syntax) { return Lowering(source, syntax).run(); }

}  // namespace heddle::dve
