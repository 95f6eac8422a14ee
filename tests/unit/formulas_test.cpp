// A mistake in what --ltl and --automaton are given is shown where it stands: in the formula's own line, in the
// definition and not where that is used, in the header of the automaton.
// SPDX-License-Identifier: Apache-2.0
#include "drive/formulas.h"

#include <gtest/gtest.h>

#include <fstream>

#include "drive/ladder.h"
#include "lang/dve/dve.h"
#include "support/own_folder.h"
#include "support/places.h"

namespace heddle::drive {
namespace {

std::string answer(Task task) {
  auto program = dve::load_text("byte x; process P { byte l; state a, b; init a; } system async;", "m.dve");
  const Vocabulary words{
      .add = [&](const std::string& text, const std::string& at) { return dve::add_proposition(*program, text, at); },
      .is_process = [](std::string_view name) { return name == "P"; },
      .placed = true,
      .invariants = true};
  core::Budget budget;
  const auto read = read_formulas(task, words, budget);
  return read ? "" : render(read.error());
}

std::string formula(const std::string& text) {
  Task task;
  task.ltl.set({text});
  return answer(task);
}

// What is said of a file, which is called FILE there.
std::string file(const std::string& text, bool automaton = false) {
  const std::string name = (tests::own_folder() / "given").string();
  std::ofstream(name, std::ios::binary) << text;
  Task task;
  if (automaton) task.automaton.set(name);
  else task.ltl.set({name});
  std::string out = answer(task);
  for (std::size_t at = 0; (at = out.find(name)) != std::string::npos;) out.replace(at, name.size(), "FILE");
  return out;
}

TEST(Formulas, of_several_lines) {
  EXPECT_EQ(formula("F P.a\n  && G P.zz"),
            "--ltl:2:10: error: process `P` has no state `zz`\n    && G P.zz\n           ^\n");
  EXPECT_EQ(formula("F P.a\n  && (G"),
            "--ltl:2:8: error: the formula ends where an operand is missing\n    && (G\n         ^\n");
}

TEST(Formulas, of_a_file_that_is_missing) {
  EXPECT_EQ(
      formula("missing.ltl"),
      "--ltl:1:1: error: there is no process `missing`\n  missing.ltl\n  ^\n  there is no file 'missing.ltl' either\n");
}

TEST(Formulas, of_a_file) {
  EXPECT_EQ(file("#define p x == 1\n#property F p\n"), "");
  EXPECT_EQ(file("#define p  x + q == 1 // q\n#property F p\n"),
            "FILE:1:16: error: there is no variable `q`\n  #define p  x + q == 1 // q\n                 ^\n"
            "  did you mean `x`?\n");
  EXPECT_EQ(file("  #property /* why */  F  P.zz\n"),
            "FILE:1:29: error: process `P` has no state `zz`\n    #property /* why */  F  P.zz\n"
            "                              ^\n");
  EXPECT_EQ(file("#property F  P.a &&\n"),
            "FILE:1:20: error: the formula ends where an operand is missing\n  #property F  P.a &&\n"
            "                     ^\n");
}

TEST(Formulas, of_an_automaton) {
  const std::string before = "HOA: v1\nStates: 1\nStart: 0\n";
  const std::string behind = "\nAcceptance: 1 Inf(0)\n--BODY--\nState: 0 {0}\n[0] 0\n--END--\n";
  EXPECT_EQ(file(before + R"(AP: 1 "P.a")" + behind, true), "");
  EXPECT_EQ(file(before + R"(AP: 2 "P.a" "x == y")" + behind, true),
            "FILE:4:19: error: there is no variable `y`\n  AP: 2 \"P.a\" \"x == y\"\n                    ^\n"
            "  did you mean `x`?\n");
}

// No engine proves temporal formulas by a certificate, and which one checks them is told rightly.
TEST(Formulas, engines_that_refuse) {
  Task task;
  task.files = {tests::source_dir() + "/examples/peterson.dve"};
  task.models.set({"tso"});
  task.ltl.set({"F P_0.critical"});
  const auto refused = [&] {
    core::Budget budget;
    const auto verdicts = check(*language_of(task.files.front()), task, budget);
    return verdicts ? "" : verdicts.error().message;
  };
  task.engine.set("buffers");
  EXPECT_NE(refused().find("--engine ltl checks it"), std::string::npos) << refused();
  task.engine.set("ltl");
  EXPECT_EQ(refused(), "");
  task.certificate.set((tests::own_folder() / "certificate").string());
  EXPECT_NE(refused().find("the ltl engine writes no certificate"), std::string::npos) << refused();
}

}  // namespace
}  // namespace heddle::drive
