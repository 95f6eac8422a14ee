// Random Memorax programs, each with its twin in Promela: the same statements, step for step, by another front end.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace heddle::tests {

struct RandomRmm {
  std::string text;                // Memorax
  std::vector<std::string> twins;  // Promela, one for each choice of initial values
  std::string bad;                 // … what is forbidden there
  std::string other_fences;        // a twin with `sync_all` or `sync_stores` for every fence outside of sections
  std::string bad_memory;          // what is asked about it: memory, and where the first process is
  bool sections = false;           // has locked sections of several statements
};

// Statements over two shared cells x and y, cells f of the copies of a process, and one register, all of them 0 or 1. A
// label is a step of its own in Memorax's programs, and so is `goto`: the twin has `skip` there.
class RmmMaker {
 public:
  explicit RmmMaker(std::uint32_t seed) : random_(seed) {}

  RandomRmm next() {
    RandomRmm out;
    sections_ = false;
    const bool any_value = pick(4) == 0, copies = pick(3) == 0;
    const unsigned processes = copies ? 2 : 2 + (pick(4) == 0 ? 1 : 0);
    std::vector<Body> bodies;
    for (unsigned p = 0; p < processes; ++p) bodies.push_back(copies && p > 0 ? bodies[0] : body(copies, processes));
    std::vector<std::string> row;
    const auto label = [&](const Body& b) {  // late ones more often: they are not always reached
      const auto count = static_cast<unsigned>(b.labels.size());
      return b.labels[std::max(pick(count), pick(count))];
    };
    for (const Body& b : bodies) row.push_back(pick(8) == 0 ? "*" : label(b));
    out.text =
        fmt::format("forbidden {}\ndata x = {} : [0:1] y = 0 : [0:1]\n", fmt::join(row, " "), any_value ? "*" : "0");
    for (unsigned p = 0; p < (copies ? 1 : processes); ++p)
      out.text += fmt::format("process{}{}\nregisters $r = 0 : [0:1]\ntext\n{}\n", copies ? "(2)" : "",
                              copies ? "\ndata f = 0 : [0:1]" : "", rmm(bodies[p].list));
    const auto twin = [&](int value, const char* fence) {
      std::string text = fmt::format("byte x = {}, y, f[2];\n", value);
      for (unsigned p = 0; p < processes; ++p)
        text += fmt::format("active proctype P{}() {{ byte r;\n{}\n}}\n", p, promela(bodies[p].list, p, fence));
      return text;
    };
    for (int value = 0; value <= (any_value ? 1 : 0); ++value) out.twins.push_back(twin(value, "sync"));
    out.other_fences = twin(0, pick(2) == 0 ? "sync_all" : "sync_stores");
    out.bad = forbidden(row, {0, 1, 2});
    if (copies) out.bad = fmt::format("({}) || ({})", out.bad, forbidden(row, {1, 0}));
    out.bad_memory = fmt::format("x == {} && y == {} && P0@{}", pick(2), pick(2), label(bodies[0]));
    if (pick(3) == 0) out.bad_memory = fmt::format("x == {} && y == {}", pick(2), pick(2));
    out.sections = sections_;
    return out;
  }

 private:
  enum class Kind : std::uint8_t {
    Nop,
    Write,
    Locked,
    Sync,
    Wait,
    Read,
    Cas,
    Fence,
    Set,
    Assume,
    If,
    While,
    Either,
    Section,
    Goto
  };
  struct Statement {
    Kind kind = Kind::Nop;
    std::string label, target;
    std::string cell = "x";
    unsigned value = 0, other = 0;
    bool from_register = false;
    std::vector<std::vector<Statement>> parts = {};
  };
  using List = std::vector<Statement>;
  struct Body {
    List list;
    std::vector<std::string> labels;
  };

  unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

  Body body(bool copies, unsigned processes) {
    Body b;
    copies_ = copies;
    labels_.clear();
    tops_.clear();
    const unsigned length = processes == 3 ? 2 + pick(2) : 3 + pick(2);
    std::vector<bool> top(length);
    for (unsigned i = 0; i < length; ++i)
      if ((top[i] = i == 0 || i + 1 == length || pick(4) == 0)) tops_.push_back(fmt::format("T{}", i));
    for (unsigned i = 0; i < length; ++i) {
      b.list.push_back(statement(2, false));
      b.list.back().label = top[i] ? fmt::format("T{}", i) : "";
    }
    if (pick(2) == 0) {
      Statement jump;
      jump.kind = Kind::Goto;
      jump.target = tops_[pick(static_cast<unsigned>(tops_.size()))];
      b.list.push_back(jump);
    }
    b.labels = labels_;
    b.labels.insert(b.labels.end(), tops_.begin(), tops_.end());
    return b;
  }

  List list(unsigned depth, bool inside) {
    List l;
    for (unsigned n = 1 + pick(2); n > 0; --n) {
      l.push_back(statement(depth, inside));
      if (pick(6) != 0) continue;
      l.back().label = fmt::format("I{}", labels_.size());
      labels_.push_back(l.back().label);
    }
    if (pick(8) == 0) {
      Statement jump;
      jump.kind = Kind::Goto;
      jump.target = tops_[pick(static_cast<unsigned>(tops_.size()))];
      l.push_back(jump);
    }
    return l;
  }

  Statement statement(unsigned depth, bool inside) {
    using enum Kind;
    static constexpr Kind simple[] = {Write, Write,  Write, Write, Write, Wait, Wait,   Wait, Read,
                                      Read,  Locked, Sync,  Cas,   Fence, Set,  Assume, Nop};
    static constexpr Kind nested[] = {If, While, Either, Either, Section};
    Statement s;
    s.kind = depth > 0 && pick(4) == 0 ? nested[pick(5)] : simple[pick(17)];
    if (s.kind == Section && inside) s.kind = Either;
    s.cell = copies_ ? std::vector<std::string>{"x", "y", "f[my]", "f[0]"}[pick(4)] : pick(2) == 0 ? "x" : "y";
    s.value = pick(2);
    s.other = pick(2);
    s.from_register = pick(5) == 0;
    sections_ |= s.kind == Section;
    const unsigned parts = s.kind == Either || (s.kind == If && s.other == 0) ? 2 : depth > 0 ? 1 : 0;
    if (s.kind >= If && s.kind <= Section)
      for (unsigned i = 0; i < parts; ++i) s.parts.push_back(list(depth - 1, inside || s.kind == Section));
    return s;
  }

  static std::string rmm(const List& l) {
    std::vector<std::string> out;
    for (const Statement& s : l) out.push_back((s.label.empty() ? "" : s.label + ": ") + rmm(s));
    return fmt::format("{}", fmt::join(out, ";\n"));
  }
  static std::string rmm(const Statement& s) {
    const std::string value = s.from_register ? "$r" : std::to_string(s.value);
    switch (s.kind) {
      case Kind::Nop: return "nop";
      case Kind::Write: return fmt::format("write: {} := {}", s.cell, value);
      case Kind::Locked: return fmt::format("locked write: {} := {}", s.cell, value);
      case Kind::Sync: return fmt::format("syncwr: {} := {}", s.cell, value);
      case Kind::Wait: return fmt::format("read: {} = {}", s.cell, value);
      case Kind::Read: return fmt::format("read: $r := {}", s.cell);
      case Kind::Cas: return fmt::format("cas({}, {}, {})", s.cell, s.value, s.other);
      case Kind::Fence: return "fence";
      case Kind::Set: return fmt::format("$r := {}", s.from_register ? "1 - $r" : value);
      case Kind::Assume: return fmt::format("assume: $r = {}", s.value);
      case Kind::If:
        return fmt::format("if $r = {} then {{ {} }}", s.value, rmm(s.parts[0])) +
               (s.parts.size() > 1 ? fmt::format(" else {{ {} }}", rmm(s.parts[1])) : "");
      case Kind::While: return fmt::format("while $r = {} do {{ {} }}", s.value, rmm(s.parts[0]));
      case Kind::Either: return fmt::format("either {{ {} or {} }}", rmm(s.parts[0]), rmm(s.parts[1]));
      case Kind::Section: return fmt::format("locked {{ {} }}", rmm(s.parts[0]));
      case Kind::Goto: return "goto " + s.target;
    }
    return {};
  }

  static std::string promela(const List& l, unsigned p, const std::string& fence) {
    std::vector<std::string> out;
    for (const Statement& s : l)
      out.push_back((s.label.empty() ? "" : fmt::format("skip;\n{}: ", s.label)) + promela(s, p, fence));
    return fmt::format("{}", fmt::join(out, ";\n"));
  }
  static std::string promela(const Statement& s, unsigned p, const std::string& fence) {
    const std::string value = s.from_register ? "r" : std::to_string(s.value);
    const std::string cell = s.cell == "f[my]"  ? fmt::format("f[{}]", p)
                             : s.cell == "f[0]" ? fmt::format("f[{}]", 1 - p)
                                                : s.cell;
    switch (s.kind) {
      case Kind::Nop: return "skip";
      case Kind::Write: return fmt::format("store({}, {})", cell, value);
      case Kind::Locked:
      case Kind::Sync: return fmt::format("atomic {{ {} = {} }}", cell, value);
      case Kind::Wait:
        return s.from_register ? fmt::format("({} == r)", cell) : fmt::format("load({}, {})", cell, value);
      case Kind::Read: return fmt::format("load({}, r)", cell);
      case Kind::Cas: return fmt::format("atomic {{ {} == {} -> {} = {} }}", cell, s.value, cell, s.other);
      case Kind::Fence: return fence;
      case Kind::Set: return fmt::format("r = {}", s.from_register ? "1 - r" : value);
      case Kind::Assume: return fmt::format("(r == {})", s.value);
      case Kind::If:
        return fmt::format("if :: (r == {}) -> {} :: !(r == {}){} fi", s.value, promela(s.parts[0], p, fence), s.value,
                           s.parts.size() > 1 ? " -> " + promela(s.parts[1], p, fence) : "");
      case Kind::While:
        return fmt::format("do :: (r == {}) -> {} :: !(r == {}) -> break od", s.value, promela(s.parts[0], p, fence),
                           s.value);
      case Kind::Either:
        return fmt::format("if :: {} :: {} fi", promela(s.parts[0], p, fence), promela(s.parts[1], p, fence));
      case Kind::Section: return fmt::format("atomic {{ {} }}", promela(s.parts[0], p, "sync"));
      case Kind::Goto: return "skip; goto " + s.target;
    }
    return {};
  }

  // Process i is where label order[i] of the row says.
  static std::string forbidden(const std::vector<std::string>& row, const std::vector<unsigned>& order) {
    std::string all;
    for (unsigned p = 0; p < row.size(); ++p)
      if (const std::string& label = row[order[p]]; label != "*")
        all += fmt::format("{}P{}@{}", all.empty() ? "" : " && ", p, label);
    return all.empty() ? "true" : all;
  }

  std::mt19937 random_;
  bool copies_ = false, sections_ = false;
  std::vector<std::string> labels_, tops_;
};

}  // namespace heddle::tests
