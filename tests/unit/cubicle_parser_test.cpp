// Mistakes in `.cub` texts are told with their place, and no text whatever makes the parser fall over.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>

#include "array/system.h"
#include "lang/cubicle/parser.h"
#include "support/places.h"

namespace heddle::cubicle {
namespace {

const std::string head = "type t = A | B\narray P[proc] : t\nweak var X : t\nweak array F[proc] : bool\n";
const std::string tail = "\ninit (p) { P[p] = A && X = A && F[p] = False }\nunsafe (p q) { P[p] = B && P[q] = B }\n";

struct Mistake {
  std::string text;
  unsigned line, column;
  std::string message;  // a part of it
};

TEST(CubicleParser, mistakes_have_a_place) {
  const std::vector<Mistake> mistakes = {
      {"type t = A |", 1, 13, "expected a constructor"},
      {"var x : int", 1, 5, "expected a name"},
      {"var X : integer", 1, 9, "no type 'integer'"},
      {"var X : int var X : int", 1, 17, "declared a second time"},
      {"(* never ends", 1, 1, "does not end"},
      {"type t = A $", 1, 12, "has no meaning"},
      {"array P[int] : bool", 1, 9, "indexed by proc"},
      {"number_procs 0", 1, 14, "from 1 to 16"},
      {"number_procs 00", 1, 14, "from 1 to 16"},
      {head + "unsafe (p) { P[p] = True }", 5, 19, "different types: t and bool"},
      {head + "unsafe (p) { P[q] = A }", 5, 16, "no process variable 'q'"},
      {head + "unsafe (p) { P[p] = C }", 5, 21, "no variable or constructor 'C'"},
      {head + "unsafe (p) { X = A }", 5, 14, "say which process sees it"},
      {head + "unsafe (p) { p @ P[p] = A }", 5, 14, "is not weak"},
      {head + "unsafe (p) { P[p] < B }", 5, 19, "not ordered"},
      {head + "unsafe (p p) { P[p] = B }", 5, 11, "named twice"},
      {head + "transition s (p) requires { X = A } { }", 5, 29, "no acting process"},
      {head + "transition s ([p]) requires { p @ X = A } { }", 5, 35, "without @"},
      {head + "transition s ([p] q) requires { P[q] = A } { }", 5, 33, "only read its own cell"},
      {head + "transition s ([p] q) requires { P[p] = A } { P[q] := B }", 5, 46, "only write its own cell"},
      {head + "transition s ([p]) requires { P[p] = A } { X := True }", 5, 49, "has type t, this value has type bool"},
      {head + "transition s ([p]) requires { P[p] = A } { X := A; X := B }", 5, 52, "assigned twice"},
      {head + "transition s ([p]) requires { not fence() } { }", 5, 31, "cannot be negated"},
      {head + "transition s ([p]) requires { P[p] = A { }", 5, 40, "expected '}'"},
      {head + "transition s ([p]) requires { forall_other q. exists_other r. F[r] = True && F[q] = True } { }", 5, 44,
       "cannot be nested"},
      {head + "unsafe (p) { fence() }", 5, 14, "guard of a transition only"},
      {head + "var Y : int" + tail, 5, 5, "must be weak"},
      {head + "init (p) { P[p] = A }", 0, 0, "no unsafe states"},
      {"number_procs 2\nvar T : proc\ninit () { T = #3 }\nunsafe () { T = #1 }", 3, 15,
       "#3 is named, but number_procs is 2"},
      {"number_procs 2\nnumber_procs 3\n", 2, 1, "second number_procs"},
      {"var N : int init () { N = 0 } unsafe () { N * N = 2 }", 1, 45, "not linear"},
      {"var N : int init () { N = 99999999999 } unsafe () { N = 2 }", 1, 27, "too large"},
  };
  for (const Mistake& m : mistakes) {
    const auto system = parse(m.text, "x.cub");
    ASSERT_FALSE(system) << m.text;
    EXPECT_NE(system.error().message.find(m.message), std::string::npos) << m.text << "\n" << system.error().message;
    EXPECT_EQ(system.error().line, m.line) << m.text << "\n" << system.error().message;
    EXPECT_EQ(system.error().column, m.column) << m.text << "\n" << system.error().message;
  }
}

TEST(CubicleParser, a_forgotten_bracket_is_named) {
  const auto system = parse(head + "transition s (p) requires { P[p] = A } { }", "x.cub");
  ASSERT_FALSE(system);
  EXPECT_NE(system.error().hint.find("([p])"), std::string::npos);
}

TEST(CubicleParser, a_byte_order_mark_is_no_text) { EXPECT_TRUE(parse("\xEF\xBB\xBF" + head + tail, "x.cub")); }

TEST(CubicleParser, everything_the_language_has) {
  const auto system = parse(R"(
(* a comment (* in a comment *) *)
number_procs 3
type t
type u = A | B | C
const K : int
const Kind[proc] : u
weak var X : int
weak array M[proc,proc] : bool
array P[proc] : u
array Q[proc] : t
predicate ready(x, y) { P[x] = A || not (P[x] = B => P[x] = C) }
init (p q) { P[p] = A && X = 0 && M[p,q] = False && (if P[p] = A then True = True else P[p] = B) }
invariant (p) { P[p] = C }
unsafe both (p q) { P[p] = B && P[q] = B && p @ X + 2 * K <= 3 - q @ X }
unsafe (p) { exists_other q. P[p] = B && P[q] = C }
transition go ([p] q)
requires { ready(p, q) && X <> 3 && fence() && forall r <> p. M[p,r] = False }
{ let v = X + 1 in
  X := v; P[p] := case | X = 1 : A | _ : B; M[p,j] := case | j = q : True; Q[p] := . }
transition any ([p]) requires { P[p] = A <=> X > -1 } { P[p] := ? })",
                            "all.cub");
  ASSERT_TRUE(system) << support::render(system.error());
  EXPECT_EQ(system->transitions.size(), 2u);
  EXPECT_EQ(system->unsafe.size(), 2u);
  EXPECT_EQ(system->unsafe[0].name, "both");
  ASSERT_TRUE(array::compile(*system));
}

// Texts cut, doubled and sprinkled with each other's words: a system or a diagnostic comes out, never a crash.
TEST(CubicleParser, broken_texts) {
  std::vector<std::string> seeds;
  for (const auto& entry : std::filesystem::directory_iterator(tests::source_dir() + "/examples")) {
    if (entry.path().extension() != ".cub") continue;
    std::ifstream in(entry.path());
    std::ostringstream text;
    text << in.rdbuf();
    seeds.push_back(text.str());
  }
  ASSERT_GE(seeds.size(), 9u);
  std::mt19937 random(5);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const std::string words[] = {"(",
                               ")",
                               "{",
                               "}",
                               "[",
                               "]",
                               "&&",
                               "||",
                               "not ",
                               "forall_other q. ",
                               "fence()",
                               "case |",
                               ":=",
                               "@",
                               "#1",
                               "#99",
                               "999999999999",
                               "=",
                               "<=>",
                               "let x = ",
                               "(*",
                               "*)",
                               "\xff",
                               "weak ",
                               "=> ",
                               "- ",
                               "*",
                               "if ",
                               "p",
                               "X"};
  unsigned good = 0;
  for (unsigned i = 0; i < 4000; ++i) {
    std::string text = seeds[below(seeds.size())];
    for (std::size_t changes = 1 + below(4); changes > 0; --changes) {
      const std::size_t at = below(text.size());
      switch (below(4)) {
        case 0: text.erase(at, 1 + below(20)); break;
        case 1: text.insert(at, words[below(std::size(words))]); break;
        case 2: text.insert(at, seeds[below(seeds.size())].substr(below(300), 1 + below(60))); break;
        default: text[at] = static_cast<char>(random()); break;
      }
      if (text.empty()) text = "x";
    }
    const auto system = parse(text, "fuzz.cub");
    if (system) {
      ++good;
      (void)array::compile(*system);
    } else {
      EXPECT_FALSE(system.error().message.empty());
    }
  }
  EXPECT_GT(good, 10u);
  const std::string deep(100000, '(');
  EXPECT_FALSE(parse("unsafe () { " + deep, "deep.cub"));
  std::string nots;
  for (int i = 0; i < 50000; ++i) nots += "not ";
  EXPECT_FALSE(parse("unsafe () { " + nots, "deep.cub"));
}

}  // namespace
}  // namespace heddle::cubicle
