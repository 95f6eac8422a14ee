// SPDX-License-Identifier: Apache-2.0
#include "lang/promela/one_step.h"

#include <algorithm>
#include <set>

namespace heddle::promela {
namespace {

using Kind = Statement::Kind;

// Symbols, whatever the cell of an array.
struct Touched {
  std::set<std::uint32_t> reads, writes;
  bool channels = false;   // looks at what channels hold
  bool processes = false;  // looks at where processes are

  void read(const Node& n) {
    using enum Node::Kind;
    channels |= n.kind == ChannelTest || n.kind == Poll;
    processes |= n.kind == AtLabel || n.kind == LocalOf || n.kind == Timeout;
    if (n.reference) {
      reads.insert(n.reference->symbol);
      index(*n.reference);
    }
    for (const Node& child : n.children) read(child);
  }

  void index(const Reference& r) {
    for (const Reference::Part& part : r.parts)
      for (const Node& n : part.index) read(n);
  }

  void write(const Reference& r) {
    if (r.symbol != none) writes.insert(r.symbol);
    index(r);
  }
};

// What a statement reads before it does anything, or, of a send, as it does it.
Touched touched(const Statement& s) {
  Touched t;
  for (const Node& n : s.value) t.read(n);
  for (const Argument& a : s.arguments) {
    if (a.target) t.write(*a.target);
    for (const Node& n : a.value) t.read(n);
  }
  if (s.reference) {
    if (s.kind == Kind::Assign) t.write(*s.reference);
    else t.index(*s.reference);
  }
  return t;
}

bool meet(const std::set<std::uint32_t>& a, const std::set<std::uint32_t>& b) {
  return std::ranges::any_of(a, [&](std::uint32_t symbol) { return b.contains(symbol); });
}

bool uses_channel(const Statement& s) { return s.kind == Kind::Send || s.kind == Kind::Receive; }

// A channel with room for messages, whatever happens.
bool buffered(const Model& model, const Reference& r) {
  if (r.symbol == none || r.parts.size() != 1) return false;
  const Symbol& symbol = model.symbols[r.symbol];
  return symbol.channel && symbol.channel->capacity != 0 && !symbol.assigned && !symbol.parameter;
}

// s comes first in the text; the edge executes `channel`, a send or receive, first: a receive's items are assigned before
// s, a send's channel is chosen.
bool may_follow(const Statement& s, const Statement& channel) {
  const Touched own = touched(s);
  if (channel.kind == Kind::Send) {
    Touched chosen;
    chosen.index(*channel.reference);
    return !meet(own.writes, chosen.reads);
  }
  const Touched other = touched(channel);
  return !own.channels && !meet(own.writes, other.reads) && !meet(own.writes, other.writes) &&
         !meet(own.reads, other.writes);
}

}  // namespace

bool never_waits(const Statement& s) {
  return s.kind == Kind::Assign || s.kind == Kind::Assert || s.kind == Kind::Print ||
         (s.kind == Kind::Condition && s.value[0].kind == Node::Kind::Number && s.value[0].number != 0);
}

bool looks_at_processes(const Statement& s) { return touched(s).processes; }

bool joins_step(const Model& model, const std::vector<const Statement*>& before, const Statement& s) {
  const bool condition = s.kind == Kind::Condition, assigns = never_waits(s) && !condition;
  if (!condition && !assigns && !uses_channel(s)) return false;
  if (uses_channel(s) && !buffered(model, *s.reference)) return false;
  const Touched own = touched(s);
  if (own.processes) return false;
  return std::ranges::all_of(before, [&](const Statement* b) {
    const bool tested = b->kind == Kind::Condition || b->kind == Kind::Else;
    if (tested) return true;
    if (b->kind != Kind::Assign && b->kind != Kind::Assert && b->kind != Kind::Print &&
        !(uses_channel(*b) && buffered(model, *b->reference)))
      return false;
    if (uses_channel(s)) return !uses_channel(*b) && may_follow(*b, s);
    const Touched earlier = touched(*b);
    if (condition) return !meet(earlier.writes, own.reads) && !(uses_channel(*b) && own.channels);
    return b->kind != Kind::Send || (!own.channels && !meet(own.writes, earlier.reads));
  });
}

}  // namespace heddle::promela
