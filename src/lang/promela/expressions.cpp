// SPDX-License-Identifier: Apache-2.0
#include "lang/promela/expressions.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace heddle::promela {

using ir::ExprId;
using ir::no_expr;
using ir::Op;

core::Site Expressions::site(const Token& token) {
  core::SourcePlace place;
  place.file = source_.files[token.file < source_.files.size() ? token.file : 0];
  place.line = token.line;
  place.column = token.column;
  if (instance_ != globally) place.function = program_.processes[tables_.instances[instance_].process].name;
  place.text = text_;
  return ir::add_site(program_, std::move(place));
}

ExprId Expressions::equal(ExprId a, ExprId b) { return ir::make_binary(program_, Op::Eq, a, b, core::no_site); }

// As a balanced tree, so that its depth stays small.
ExprId Expressions::joined(Op op, std::span<const ExprId> list) {
  if (list.size() == 1) return list.front();
  const std::size_t half = list.size() / 2;
  const ExprId left = joined(op, list.first(half)), right = joined(op, list.subspan(half));
  return ir::make_binary(program_, op, left, right, core::no_site);
}

ExprId Expressions::all_of(const std::vector<ExprId>& list) {
  std::vector<ExprId> open;
  for (const ExprId e : list)
    if (e != no_expr && !(program_.expr(e).op == Op::Const && program_.expr(e).value != 0)) open.push_back(e);
  return open.empty() ? no_expr : joined(Op::And, open);
}

ExprId Expressions::any_of(const std::vector<ExprId>& list) {
  std::vector<ExprId> open;
  for (const ExprId e : list) {
    if (e == no_expr) return constant(1);
    open.push_back(e);
  }
  return open.empty() ? constant(0) : joined(Op::Or, open);
}

ExprId Expressions::process_id(std::uint32_t instance) {
  const Instance& i = tables_.instances[instance];
  return i.initial ? constant(i.pid) : ir::make_var(program_, i.pid_var);
}

ExprId Expressions::alive(std::uint32_t instance) {
  const Instance& i = tables_.instances[instance];
  if (i.dead == ir::none) return constant(1);
  return negation(ir::make_in_state(program_, i.process, i.dead));
}

ExprId Expressions::value(const Node& n) {
  switch (n.kind) {
    case Node::Kind::Number: return constant(n.number);
    case Node::Kind::Variable: return read(cell(*n.reference), n.token);
    case Node::Kind::Unary: return ir::make_unary(program_, n.op, value(n.children[0]));
    case Node::Kind::Binary: {
      const ExprId left = value(n.children[0]), right = value(n.children[1]);
      const bool fails = n.op == Op::Div || n.op == Op::Mod;
      return ir::make_binary(program_, n.op, left, right, fails ? site(n.token) : core::no_site);
    }
    case Node::Kind::Conditional: {
      const ExprId condition = value(n.children[0]), then = value(n.children[1]), otherwise = value(n.children[2]);
      return ir::make_cond(program_, condition, then, otherwise);
    }
    case Node::Kind::ChannelTest: return channel_test(n);
    case Node::Kind::Poll: {
      std::vector<const Node*> items;
      for (const Node& item : n.children) items.push_back(item.kind == Node::Kind::Anything ? nullptr : &item);
      return poll(*n.reference, items, n.random, n.token);
    }
    case Node::Kind::ProcessId: return process_id(instance_);
    case Node::Kind::ProcessCount: return ir::make_var(program_, tables_.count_var);
    case Node::Kind::Timeout:
      if (program_.timeout == ir::none) mistake(source_, n.token, "`timeout` has no meaning here");
      return ir::make_var(program_, program_.timeout);
    case Node::Kind::AtLabel: return at_label(n);
    case Node::Kind::LocalOf: return local_of(n);
    case Node::Kind::Anything: break;
  }
  return constant(1);
}

ExprId Expressions::read(const Cell& c, const Token& at) {
  if (c.index == no_expr) return ir::make_var(program_, c.leaf->var);
  return ir::make_index(program_, c.leaf->var, c.index, site(at));
}

Cell Expressions::cell(const Reference& r) {
  const Symbol& symbol = tables_.model.symbols[r.symbol];
  const bool global = symbol.proctype == none;
  const auto& leaves = tables_.storage[global ? 0 : 1 + instance_].at(r.symbol);
  std::string path;
  for (std::size_t i = 1; i < r.parts.size(); ++i) path += "." + r.parts[i].name;
  const auto leaf = std::ranges::find_if(leaves, [&](const Leaf& l) { return l.path == path; });
  const Token& last = r.parts.back().token;
  if (leaf == leaves.end()) {
    const bool structure = std::ranges::any_of(leaves, [&](const Leaf& l) { return l.path.starts_with(path + "."); });
    mistake(source_, last,
            structure ? fmt::format("`{}` is a structure, not a value", r.parts.back().name)
                      : fmt::format("there is no field `{}`", r.parts.back().name),
            structure ? "name one of its fields" : "");
  }
  // One index for each dimension; a part that is an array has one, any other has none.
  Cell c{&*leaf, no_expr};
  TypeName type = symbol.type;
  bool array = symbol.array;
  std::size_t dimension = 0;
  for (std::size_t i = 0; i < r.parts.size(); ++i) {
    const Reference::Part& part = r.parts[i];
    if (i != 0) {
      const auto& fields = tables_.model.structures[type.structure].fields;
      const auto field = std::ranges::find_if(fields, [&](const Symbol& f) { return f.name == part.name; });
      type = field->type;
      array = field->array;
    }
    if (array == part.index.empty())
      mistake(source_, part.token,
              array ? fmt::format("`{}` is an array: an index is missing", part.name)
                    : fmt::format("`{}` is no array", part.name));
    if (!array) continue;
    const std::uint32_t length = leaf->dims[dimension++];
    ExprId index = value(part.index[0]);
    if (leaf->dims.size() > 1 && program_.expr(index).op != Op::Const)  // checked here: the product cannot tell
      index = ir::make_index(program_, tables_.identities.at(length), index, site(part.token));
    else if (leaf->dims.size() > 1 && static_cast<std::uint32_t>(program_.expr(index).value) >= length)
      mistake(source_, part.token, fmt::format("the index is not within 0 … {}", length - 1));
    if (c.index == no_expr) {
      c.index = index;
    } else {
      const ExprId row =
          ir::make_binary(program_, Op::Mul, c.index, constant(static_cast<std::int32_t>(length)), core::no_site);
      c.index = ir::make_binary(program_, Op::Add, row, index, core::no_site);
    }
  }
  return c;
}

std::vector<Possible> Expressions::possible_channels(const Reference& r, std::size_t arity, const Token& at) {
  if (r.symbol == none) mistake(source_, at, "`_` is no channel");
  const Symbol& symbol = tables_.model.symbols[r.symbol];
  const auto wrong_arity = [&](std::uint32_t channel) {
    const std::size_t has = program_.channels[channel].types.size();
    if (arity != none && has != arity)
      mistake(source_, at, fmt::format("a message of `{}` has {} items, not {}", symbol.name, has, arity));
  };
  std::vector<Possible> list;
  const bool global = symbol.proctype == none;
  const auto& made = tables_.channels[global ? 0 : 1 + instance_];
  if (const auto found = made.find(r.symbol); found != made.end() && !symbol.assigned) {
    wrong_arity(found->second.front());
    const Cell c = cell(r);
    if (c.index == no_expr) return {{found->second.front(), no_expr}};
    if (program_.expr(c.index).op == Op::Const) {
      const auto number = static_cast<std::uint32_t>(program_.expr(c.index).value);
      if (number >= found->second.size())
        mistake(source_, at, fmt::format("the index is not within 0 … {}", found->second.size() - 1));
      return {{found->second[number], no_expr}};
    }
    const std::uint32_t identity = tables_.identities.at(static_cast<std::uint32_t>(found->second.size()));
    const ExprId checked = ir::make_index(program_, identity, c.index, site(at));
    for (std::uint32_t i = 0; i < found->second.size(); ++i)
      list.push_back({found->second[i], equal(checked, constant(static_cast<std::int32_t>(i)))});
    return list;
  }
  const Cell c = cell(r);
  if (c.leaf->type.base != Base::Chan) mistake(source_, at, fmt::format("`{}` is no channel", r.parts.back().name));
  const auto count = static_cast<std::uint32_t>(program_.channels.size());
  const auto table = tables_.usable.find(arity);
  if (table == tables_.usable.end())
    mistake(source_, at,
            arity == none ? "there is no channel" : fmt::format("no channel has messages of {} items", arity));
  const std::string statement =
      std::exchange(text_, fmt::format("{}, where `{}` is no such channel", text_, r.parts.back().name));
  const ExprId found = ir::make_index(program_, table->second, read(c, at), site(at));
  const ExprId which = ir::make_index(program_, tables_.identities.at(count + 1), found, site(at));
  text_ = statement;
  for (std::uint32_t i = 0; i < count; ++i)
    if (arity == none || program_.channels[i].types.size() == arity)
      list.push_back({i, equal(which, constant(static_cast<std::int32_t>(i + 1)))});
  return list;
}

ExprId Expressions::channel_test(const Node& n) {
  ExprId result = constant(0);
  for (const Possible& p : possible_channels(*n.reference, none, n.token)) {
    const ir::Channel& channel = program_.channels[p.channel];
    const auto capacity = static_cast<std::int32_t>(channel.capacity);
    const ExprId length = capacity == 0 ? constant(0) : ir::make_channel_length(program_, p.channel);
    ExprId one = length;
    if (n.name == "empty" || n.name == "nempty") one = equal(length, constant(0));
    // A rendezvous channel never holds a message; to SPIN it has room for one, so it is not full.
    if (n.name == "full" || n.name == "nfull") one = equal(length, constant(std::max(capacity, 1)));
    if (n.name == "nempty" || n.name == "nfull") one = negation(one);
    result = p.when == no_expr ? one : ir::make_cond(program_, p.when, one, result);
  }
  return result;
}

// Is there a message (the first, or any) with these items? Null: any item.
ExprId Expressions::poll(const Reference& r, const std::vector<const Node*>& items, bool random, const Token& at) {
  std::vector<ExprId> any;
  for (const Possible& p : possible_channels(r, items.size(), at)) {
    const ir::Channel& channel = program_.channels[p.channel];
    if (channel.capacity == 0)
      mistake(source_, at, "a rendezvous channel cannot be asked whether it has a message",
              "`else` beside a rendezvous and polling one are not supported");
    const std::uint32_t arity = channel.arity(), messages = random ? channel.capacity : 1;
    for (std::uint32_t m = 0; m < messages; ++m) {
      std::vector<ExprId> all{p.when, ir::make_binary(program_, Op::Gt, ir::make_channel_length(program_, p.channel),
                                                      constant(static_cast<std::int32_t>(m)), core::no_site)};
      for (std::uint32_t i = 0; i < arity; ++i)
        if (items[i] != nullptr)
          all.push_back(equal(ir::make_item(program_, p.channel, m * arity + i), value(*items[i])));
      any.push_back(all_of(all));
    }
  }
  return any_of(any);
}

ExprId Expressions::match(const std::vector<Argument>& arguments) {
  std::vector<ExprId> all;
  for (std::uint32_t i = 0; i < arguments.size(); ++i)
    if (!arguments[i].value.empty())
      all.push_back(equal(ir::make_message(program_, i), value(arguments[i].value.front())));
  return all_of(all);
}

ExprId Expressions::executable(const Statement& s) {
  switch (s.kind) {
    case Statement::Kind::Condition: return value(s.value[0]);
    case Statement::Kind::Send: {
      std::vector<ExprId> any;
      for (const Possible& p : possible_channels(*s.reference, s.value.size(), s.first)) {
        const auto capacity = static_cast<std::int32_t>(program_.channels[p.channel].capacity);
        if (capacity == 0)
          mistake(source_, s.first, "`else` beside an operation on a rendezvous channel is not supported",
                  "nothing tells whether a partner is there");
        const ExprId room = ir::make_binary(program_, Op::Lt, ir::make_channel_length(program_, p.channel),
                                            constant(capacity), core::no_site);
        any.push_back(all_of({p.when, room}));
      }
      return any_of(any);
    }
    case Statement::Kind::Receive: {
      std::vector<const Node*> items;
      for (const Argument& a : s.arguments) items.push_back(a.value.empty() ? nullptr : &a.value.front());
      return poll(*s.reference, items, s.random, s.first);
    }
    case Statement::Kind::If:
    case Statement::Kind::Do: {
      std::vector<ExprId> any;
      for (const Sequence& option : s.body) any.push_back(executable(option.front()));
      return any_of(any);
    }
    case Statement::Kind::Atomic:
    case Statement::Kind::Deterministic:
    case Statement::Kind::Block: return executable(s.body.front().front());
    default: return constant(1);
  }
}

// The instances that P or P[e] may be.
std::vector<std::uint32_t> Expressions::instances_of(const Node& n) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t i = 0; i < tables_.instances.size(); ++i)
    if (tables_.model.proctypes[tables_.instances[i].proctype].name == n.name) list.push_back(i);
  if (list.empty()) mistake(source_, n.token, fmt::format("there is no process `{}`", n.name));
  return list;
}

ExprId Expressions::at_label(const Node& n) {
  std::vector<ExprId> any;
  for (const std::uint32_t i : instances_of(n)) {
    const Instance& instance = tables_.instances[i];
    const Flow& flow = tables_.flows[instance.proctype];
    const auto label = flow.labels.find(n.label);
    if (label == flow.labels.end()) mistake(source_, n.token, fmt::format("`{}` has no label `{}`", n.name, n.label));
    if (flow.passed.contains(n.label))
      mistake(source_, n.token, fmt::format("the jump at `{}` has no state of its own", n.label),
              "name the condition when the model is loaded");
    if (label->second == none) continue;  // cannot be reached
    const ExprId here = ir::make_in_state(program_, instance.process, instance.begin + label->second);
    any.push_back(n.children.empty() ? here : all_of({here, equal(process_id(i), value(n.children[0]))}));
    if (any.back() == no_expr) any.back() = constant(1);
  }
  return any_of(any);
}

ExprId Expressions::local_of(const Node& n) {
  ExprId result = constant(0);
  const auto instances = instances_of(n);
  if (n.children.empty() && instances.size() != 1)
    mistake(source_, n.token, fmt::format("there are several processes `{}`", n.name), "write P[number]:x");
  for (const std::uint32_t i : instances) {
    const auto& storage = tables_.storage[1 + i];
    const auto found = std::ranges::find_if(
        storage, [&](const auto& entry) { return tables_.model.symbols[entry.first].name == n.label; });
    if (found == storage.end() || found->second.size() != 1 || !found->second[0].dims.empty())
      mistake(source_, n.token, fmt::format("`{}` has no scalar variable `{}`", n.name, n.label));
    const ExprId variable = ir::make_var(program_, found->second[0].var);
    if (n.children.empty()) return variable;
    const ExprId here = all_of({alive(i), equal(process_id(i), value(n.children[0]))});
    result = here == no_expr ? variable : ir::make_cond(program_, here, variable, result);
  }
  return result;
}

}  // namespace heddle::promela
