// Value ranges (ir/ranges.h): small models worked out by hand, and random arithmetic against all states that a plain
// enumeration of whole arrays reaches; states packed by ranges unpack to what they were.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdio>
#include <deque>
#include <random>
#include <set>

#include "ir/flat_port.h"
#include "ir/layout.h"
#include "ir/ranges.h"
#include "ir/steps.h"
#include "lang/dve/dve.h"

namespace heddle::ir {
namespace {

Program load(const std::string& text, bool wraps = false) {
  auto program = dve::load_text(text, "m.dve");
  EXPECT_TRUE(program) << (program ? "" : render(program.error()) + text);
  if (!wraps) return std::move(*program);
  Program wrapping = unfinished(*program);
  wrapping.wraps = true;
  finish(wrapping);
  return wrapping;
}

std::string range(const Program& program, const std::string& name) {
  const auto ranges = value_ranges(program);
  for (std::size_t v = 0; v < program.variables.size(); ++v)
    if (program.variables[v].name == name) return fmt::format("{}..{}", ranges[v].low, ranges[v].high);
  return "no " + name;
}

TEST(Ranges, OfFlagsCountersAndRemainders) {
  const Program p = load(R"(
byte flag[3], free = 1, ticket, left = 200;
int below = 3;
process P {
  byte k, j, m;
  state s, t; init s;
  trans
    s -> t { effect flag[k] = 1, free = 1; },
    t -> s { guard k < 3; effect k = k + 1, flag[0] = 0; },
    t -> t { guard k == 3 and j >= 2; effect k = 0; },
    s -> s { guard 4 > j; effect j = j + 1, ticket = ticket + 1; },
    s -> s { effect m = ticket % 5; },
    t -> s { guard left != 0; effect left = left / 2; },
    t -> t { guard below > -2; effect below = below - 1; };
}
system async;
)");
  EXPECT_EQ(range(p, "flag"), "0..1");
  EXPECT_EQ(range(p, "free"), "1..1");
  EXPECT_EQ(range(p, "k"), "0..3");
  EXPECT_EQ(range(p, "j"), "0..4");
  EXPECT_EQ(range(p, "ticket"), "0..255") << "no guard ends it but the type";
  EXPECT_EQ(range(p, "m"), "0..4");
  EXPECT_EQ(range(p, "left"), "0..200");
  EXPECT_EQ(range(p, "below"), "-32768..3") << "a shared variable may change between guard and effect elsewhere";
}

TEST(Ranges, AGuardSpeaksOfTheValueBeforeTheEffects) {
  const Program p = load(R"(
byte x;
process P {
  byte k;
  state s; init s;
  trans s -> s { guard k < 3; effect k = 9, x = k; }, s -> s { effect k = 0; };
}
system async;
)");
  EXPECT_EQ(range(p, "x"), "0..9");
}

TEST(Ranges, WhatIsReceivedIsOfItsType) {
  const char* const text = R"(
byte x; int y;
channel {byte} c[1];
process P { state s; init s; trans s -> s { sync c!{7}; }; }
process Q { state s; init s; trans s -> s { sync c?{x}; effect y = x - 256; }; }
system async;
)";
  EXPECT_EQ(range(load(text), "x"), "0..255");
  EXPECT_EQ(range(load(text), "y"), "-256..0");
}

TEST(Ranges, ATruncatedValueMayBeAny) {
  const char* const text =
      "byte x = 250; process P { state s; init s; trans s -> s { guard x > 9; effect x = x + 3; }; } "
      "system async;";
  EXPECT_EQ(range(load(text), "x"), "250..255");
  EXPECT_EQ(range(load(text, true), "x"), "0..255");
}

// Processes over a few variables with all operators; most steps that would fail end in an error, which is no state.
class RandomArithmetic {
 public:
  explicit RandomArithmetic(std::uint32_t seed) : random_(seed) {}

  std::string next() {
    std::string text =
        fmt::format("byte g = {};\nint h = {};\nbyte a[2] = {{{}, 1}};\n", pick(4), pick(9) - 4, pick(3));
    for (int p = 0; p < 2; ++p) {
      text += fmt::format("process P{} {{ byte k = {}; int j;\nstate s, t; init s;\ntrans ", p, pick(3));
      for (int e = 0, edges = 2 + pick(3); e < edges; ++e) {
        text += fmt::format("{}{} -> {} {{ guard {}; effect ", e == 0 ? "" : ",\n", pick(2) ? "s" : "t",
                            pick(2) ? "s" : "t", guard());
        for (int i = 0, effects = 1 + pick(2); i < effects; ++i)
          text += fmt::format("{}{} = {}", i == 0 ? "" : ", ", target(), value(2));
        text += "; }";
      }
      text += ";\n}\n";
    }
    return text + "system async;\n";
  }

 private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::string target() {
    static const char* const targets[] = {"g", "h", "a[0]", "a[1]", "k", "j"};
    return targets[pick(6)];
  }
  std::string variable() { return pick(6) == 0 ? "a[k % 2]" : target(); }
  std::string guard() {
    static const char* const compare[] = {"<", "<=", ">", ">=", "==", "!="};
    std::string text = fmt::format("{} {} {}", variable(), compare[pick(6)], pick(8));
    if (pick(2)) text += fmt::format(" and {} {} {}", pick(8), compare[pick(6)], variable());
    return text;
  }
  std::string value(int depth) {
    static const char* const operators[] = {"+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", "+", "-"};
    if (depth == 0 || pick(4) == 0) return pick(3) == 0 ? std::to_string(pick(6)) : variable();
    if (pick(10) == 0) return fmt::format("(- {})", value(depth - 1));
    if (pick(12) == 0) return fmt::format("(~ {})", value(depth - 1));
    if (pick(10) == 0) return fmt::format("({} < {})", value(depth - 1), value(depth - 1));
    return fmt::format("({} {} {})", value(depth - 1), operators[pick(12)], value(depth - 1));
  }

  std::mt19937 random_;
};

TEST(Ranges, HoldAllReachableValues) {
  RandomArithmetic models(7);
  std::size_t narrower = 0, states = 0;
  for (int i = 0; i < 4000; ++i) {
    const std::string text = models.next();
    const Program program = load(text, i % 2 == 1);
    SCOPED_TRACE(text);
    const auto ranges = value_ranges(program);
    const Layout layout(program);
    FlatPort port(program);
    Steps<FlatPort> steps(program);
    using Words = std::vector<std::int32_t>;
    const auto words = [&] { return Words(port.words(), port.words() + program.variable_words); };
    std::set<Words> seen{words()};
    std::deque<Words> todo{words()};
    std::vector<std::uint32_t> packed(layout.slots());
    while (!todo.empty() && seen.size() < 400) {
      const Words now = todo.front();
      todo.pop_front();
      std::copy(now.begin(), now.end(), port.words());
      port.commit();
      layout.pack(port.words(), packed.data());
      layout.unpack(packed.data(), port.words());
      ASSERT_EQ(words(), now) << "packed and unpacked";
      for (std::uint32_t w = 0; w < program.variable_words; ++w)
        if (const std::uint32_t v = program.variable_of[w]; v != none) {
          ASSERT_GE(now[w], ranges[v].low) << program.word_name(w);
          ASSERT_LE(now[w], ranges[v].high) << program.word_name(w);
        }
      steps.each(port, [&](const auto& step) {
        if (step.result.status == Status::True && seen.insert(words()).second) todo.push_back(words());
      });
    }
    states += seen.size();
    for (std::size_t v = 0; v < ranges.size(); ++v)
      narrower += ranges[v].high - ranges[v].low < range_of(program.variables[v].type).high;
  }
  std::printf("%zu states, %zu ranges narrower than their types\n", states, narrower);
  EXPECT_GT(states, 20000U);
  EXPECT_GT(narrower, 2000U);
}

}  // namespace
}  // namespace heddle::ir
