// Random small Promela models that SPIN reads: shared variables and arrays, rendezvous and buffered channels, choices,
// loops, atomic sections, d_steps, timeouts, end labels, processes that are created.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace heddle::tests {

class RandomSpin {
 public:
  explicit RandomSpin(unsigned seed) : random_(seed) {}

  std::string text() {
    std::string out;
    for (unsigned n = 1 + below(3), i = 0; i < n; ++i) {
      globals_.emplace_back(1, static_cast<char>('a' + i));
      out += fmt::format("{} {}{};\n", one_of({"byte", "bit", "bool", "short", "int"}), globals_.back(),
                         chance(30) ? " = 1" : "");
    }
    array_ = chance(40);
    if (array_) out += "byte arr[2];\n";
    for (unsigned n = below(3), i = 0; i < n; ++i) {
      channels_.push_back({fmt::format("q{}", i), below(3), 1 + below(2)});
      out += fmt::format("chan {} = [{}] of {{ {} }};\n", channels_[i].name, channels_[i].places,
                         channels_[i].fields == 1 ? "byte" : "byte, short");
    }
    const bool creates = chance(30);
    for (unsigned n = 1 + below(creates ? 2 : 3), p = 0; p < n; ++p) {
      locals_ = {"i", "k"};
      out += fmt::format("active{} proctype P{}() {{ byte i, k{};\n{}\n}}\n", chance(15) ? " [2]" : "", p,
                         chance(30) ? " = 1" : "", body(2, 4));
    }
    if (!creates) return out;
    locals_ = {"i", "k"};
    out += fmt::format("proctype Q(byte k) {{ byte i;\n{}\n}}\n", body(2, 3));
    locals_ = {"i"};
    const bool at_once = chance(40);
    out +=
        fmt::format("init {{ byte i; {} run Q(1); {}; run Q({}) {} }}\n", at_once ? "atomic {" : "",
                    sequence(1, 2, at_once ? Inside::Atomic : Inside::Nothing, false), globals_[0], at_once ? "}" : "");
    return out;
  }

 private:
  enum class Inside { Nothing, Atomic, Step };
  struct Channel {
    std::string name;
    unsigned places, fields;
  };

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool chance(unsigned percent) { return below(100) < percent; }
  const char* one_of(std::initializer_list<const char*> list) {
    return list.begin()[below(static_cast<unsigned>(list.size()))];
  }
  template <class T>
  const T& one_of(const std::vector<T>& list) {
    return list[below(static_cast<unsigned>(list.size()))];
  }
  std::vector<Channel> buffered() const {
    std::vector<Channel> list;
    std::ranges::copy_if(channels_, std::back_inserter(list), [](const Channel& c) { return c.places > 0; });
    return list;
  }

  std::string cell() { return fmt::format("arr[{}]", one_of({"0", "1", "(a & 1)"})); }
  std::string variable() {
    if (array_ && chance(20)) return cell();
    return !locals_.empty() && chance(40) ? one_of(locals_) : one_of(globals_);
  }
  std::string value(unsigned depth) {
    if (depth == 0 || chance(30)) return chance(35) ? std::to_string(below(4)) : chance(8) ? "_pid" : variable();
    if (chance(70))
      return fmt::format("({} {} {})", value(depth - 1),
                         one_of({"+", "-", "*", "==", "!=", "<", ">", "<=", ">=", "&&", "||", "&", "|", "^"}),
                         value(depth - 1));
    const unsigned kind = below(4);
    if (kind == 0) return fmt::format("(!{})", value(depth - 1));
    if (kind == 1) return fmt::format("(-{})", value(depth - 1));
    if (kind == 2) return fmt::format("({} -> {} : {})", value(depth - 1), value(depth - 1), value(depth - 1));
    const auto list = buffered();
    return list.empty() ? "2" : fmt::format("len({})", one_of(list).name);
  }
  std::string small() { return chance(50) ? fmt::format("(({}) % 3)", value(1)) : std::to_string(below(3)); }
  // One that may stand beside an `else`.
  std::string plain_condition() {
    return chance(40) ? fmt::format("({} != 0)", value(2))
                      : fmt::format("({} {} {})", variable(), one_of({"==", "!=", "<", ">"}), below(3));
  }
  std::string condition() {
    const auto list = buffered();
    if (list.empty() || chance(80)) return plain_condition();
    const Channel& c = one_of(list);
    if (chance(30)) return fmt::format("{}?[{}{}]", c.name, below(3), c.fields == 2 ? ",1" : "");
    return fmt::format("{}({})", one_of({"empty", "full", "nempty", "nfull"}), c.name);
  }
  std::string assignment() {
    const std::string target = variable();
    return chance(80) ? fmt::format("{} = {}", target, small())
                      : fmt::format("{} = ({} + 1) % {}", target, target, 2 + below(3));
  }
  std::string message() {
    const Channel c = one_of(channels_);
    if (chance(50))
      return fmt::format("{} {} {}{}", c.name, c.places > 0 && chance(20) ? "!!" : "!", small(),
                         c.fields == 2 ? "," + small() : "");
    std::string first = chance(60) ? variable() : chance(50) ? std::to_string(below(3)) : "eval(" + globals_[0] + ")";
    if (c.fields == 2) first += chance(50) ? ",_" : fmt::format(",{}", below(3));
    const char* op = c.places > 0 && chance(30) ? "??" : "?";
    return c.places > 0 && chance(20) ? fmt::format("{} {} <{}>", c.name, op, first)
                                      : fmt::format("{} {} {}", c.name, op, first);
  }

  std::string choices(unsigned depth, Inside inside, bool loop) {
    std::string out = loop ? "do\n" : "if\n";
    const bool otherwise = inside == Inside::Step || chance(35);
    for (unsigned n = inside == Inside::Step ? 1 : 1 + below(3), i = 0; i < n; ++i) {
      const std::string rest = sequence(depth - 1, 2, inside, loop);
      if (otherwise) out += fmt::format(":: {} -> {}\n", plain_condition(), rest);
      else out += chance(60) ? fmt::format(":: {} -> {}\n", condition(), rest) : fmt::format(":: {}\n", rest);
    }
    if (otherwise) out += fmt::format(":: else -> {}\n", loop ? "break" : sequence(depth - 1, 1, inside, false));
    else if (loop && chance(70)) out += fmt::format(":: {} -> break\n", condition());
    return out + (loop ? "od" : "fi");
  }

  std::string statement(unsigned depth, Inside inside, bool in_loop) {
    if (inside == Inside::Step) return depth > 0 && chance(20) ? choices(depth, inside, false) : assignment();
    const unsigned kind = below(100);
    if (kind < 36) return assignment();
    if (kind < 42) return condition();
    if (kind < 46) return fmt::format("assert({} || {})", condition(), condition());
    if (kind < 48) return "skip";
    if (kind < 60) return channels_.empty() ? assignment() : message();
    if (depth == 0) return assignment();
    if (kind < 72) return choices(depth, inside, false);
    if (kind < 82) return choices(depth, inside, true);
    if (kind < 88 && inside == Inside::Nothing)
      return fmt::format("atomic {{ {} }}", sequence(depth - 1, 3, Inside::Atomic, false));
    if (kind < 94 && inside == Inside::Nothing)
      return fmt::format("d_step {{ {} }}", sequence(depth - 1, 3, Inside::Step, false));
    if (kind < 96) return fmt::format("select(i : 0 .. {})", below(3));
    if (kind < 98 && in_loop) return "break";
    return chance(50) ? "timeout" : assignment();
  }
  std::string sequence(unsigned depth, unsigned most, Inside inside, bool in_loop) {
    std::string out = statement(depth, inside, in_loop);
    for (unsigned n = below(most); n > 0; --n) out += "; " + statement(depth, inside, in_loop);
    return out;
  }
  std::string body(unsigned depth, unsigned most) {
    std::string out = sequence(depth, most, Inside::Nothing, false);
    return chance(25) ? fmt::format("{}; end{}: {}", out, ++labels_, assignment()) : out;
  }

  std::mt19937 random_;
  std::vector<std::string> globals_, locals_;
  std::vector<Channel> channels_;
  bool array_ = false;
  unsigned labels_ = 0;
};

}  // namespace heddle::tests
