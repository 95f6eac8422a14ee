// Memorax programs: which need fences, as Memorax answers (ground-truth/fences.csv, rows memorax-run), by explicit
// states and by buffer languages.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <tuple>

#include "buffers/saturate.h"
#include "check/buffer_certificate.h"
#include "explore/search.h"
#include "ir/system.h"
#include "lang/rmm/rmm.h"
#include "models/models.h"

namespace heddle {
namespace {

const char* const dekker = R"(
forbidden CS CS
data turn = * : [0:1]
process(2)
data flag = 0 : [0:1]
registers $f = 0 : [0:1]  $t = 0 : [0:1]
text
  L0: WRITE flag[my] := 1;
  L1: read: $f := flag[0];
  if $f = 1 then {
    read: $t := turn;
    if $t != my then { write: flag[my] := 0; read: turn = my; goto L0 };
    goto L1
  };
  CS: nop;
  either { write: turn := 1 - my or nop; write: turn := 1 - my };
  write: flag[my] := 0;
  $f := 0; $t := 0;
  goto L0
)";

const char* const lock = R"(
/* a lock by compare-and-swap, with a locked section beside it */
forbidden CS CS CS
data l = 0 : [0:1]   n = 0 : [0:3]
process(3)
text
  L0: cas(l, 0, 1);
  CS: locked { read: n = 0; write: n := 1; write: n := 0 };
  syncwr: l := 0;
  goto L0
)";

std::string with(std::string text, const std::string& write) {
  for (std::size_t at = 0; (at = text.find("WRITE", at)) != std::string::npos;) text.replace(at, 5, write);
  return text;
}

struct Verdicts {
  bool symbolic = false, explicitly = false;  // violated
};

Verdicts check(const std::string& text, const char* model) {
  auto loaded = rmm::load_text(text, "program.rmm");
  if (!loaded) throw std::runtime_error(render(loaded.error()));
  buffers::Question question;
  question.order = std::string(model) == "pso" ? ir::StoreOrder::Location : ir::StoreOrder::Program;
  question.goals = {{loaded->forbidden, true}};
  EXPECT_EQ(buffers::refuse(loaded->program, question), std::nullopt);
  core::Budget budget;
  budget.max_states = 5000;
  const auto answer = buffers::saturate(loaded->program, question, budget);
  EXPECT_NE(answer.kind, buffers::Answer::Kind::Unknown) << (answer.stopped ? answer.stopped->text : "");
  if (answer.kind == buffers::Answer::Kind::Holds) {
    const auto checked = check::check_buffer_sets(loaded->program, answer.proof, {{{loaded->forbidden, true}}}, budget);
    EXPECT_TRUE(checked.verified) << checked.why;
  }
  const ir::System system(loaded->program, *models::machine(model),
                          {.buffer_bound = 3, .visible = {loaded->forbidden}});
  explore::SearchOptions options;
  options.goals = {{loaded->forbidden, true}};
  core::Budget more;
  return {answer.kind == buffers::Answer::Kind::Violated, explore::search(system, options, more).found.has_value()};
}

TEST(Rmm, DekkerNeedsLockedWrites) {
  for (const char* model : {"tso", "pso"}) {
    const Verdicts bare = check(with(dekker, "write:"), model), locked = check(with(dekker, "locked write:"), model);
    EXPECT_TRUE(bare.symbolic && bare.explicitly) << model;
    EXPECT_TRUE(!locked.symbolic && !locked.explicitly) << model;
    const Verdicts fenced = check(with(dekker, "syncwr:"), model);
    EXPECT_TRUE(!fenced.symbolic && !fenced.explicitly) << model;
  }
}

TEST(Rmm, CompareAndSwapAndLockedSections) {
  // Three processes are never in it together; the row is about all three.
  for (const char* model : {"tso", "pso"}) {
    const Verdicts v = check(lock, model);
    EXPECT_TRUE(!v.symbolic && !v.explicitly) << model;
  }
}

// What a text leads to, whatever the model: labels, loops and sections.
TEST(Rmm, StatementsMeanWhatTheySay) {
  const std::tuple<const char*, bool, const char*> rows[] = {
      {"BAD *", false, "either { while $r = 0 do $r := 1 or $s := 1 }; if $r = 1 && $s = 1 then { BAD: nop }"},
      {"BAD *", true, "either { while $r = 0 do $r := 1 or $s := 1 }; if $r = 1 && $s = 0 then { BAD: nop }"},
      {"BAD *", false,
       "either { locked { while $r = 0 do $r := 1 } or $s := 1 }; if $r = 1 && $s = 1 then { BAD: nop }"},
      {"L *", true, "L: while $r = 0 do { read: x = 1; $r := 1; $s := 1; write: x := 0 }"},
      {"end *", false, "$r := 1; if $r = 0 then { end: nop }; fence"},  // a label as any other
      {"start *", false, "$r := 1; if $r = 0 then { start: nop }"},
      {"IN *", true, "locked { write: x := 1; IN: nop; write: x := 0 }"},
      // A jump out of a section ends it: another process sees what it has stored by then.
      {"* SEEN", true, "L: nop; fence; locked { write: x := 1; goto L }"},
      {"* SEEN", false, "L: nop; locked { write: x := 1; write: x := 0; goto L }"}};
  for (const auto& [forbidden, reachable, text] : rows)
    for (const char* model : {"tso", "pso"}) {
      const std::string program = fmt::format(
          "forbidden {}\ndata x = 0 : [0:1]\nprocess\nregisters $r = 0 : [0:1] $s = 0 : [0:1]\ntext\n {}\n"
          "process\ntext\n  read: x = 1; SEEN: nop\n",
          forbidden, text);
      const Verdicts v = check(program, model);
      EXPECT_EQ(v.symbolic, reachable) << program;
      EXPECT_EQ(v.explicitly, reachable) << program;
    }
}

// Long texts are read in time that grows with their length.
TEST(Rmm, LongTexts) {
  std::string rows = "forbidden A B", statements = "{ nop }", line = "nop", blocks;
  for (unsigned i = 0; i < 20'000; ++i) {
    rows += "; A B";
    statements += ";\n{ either { nop or { nop } } }";
    line += "; nop";
  }
  for (unsigned i = 0; i < 4; ++i) blocks += "process(5) text A: nop\n";
  const std::string two = "process text A: nop; B: nop\nprocess text A: nop; B: nop\n";
  EXPECT_TRUE(rmm::load_text(rows + "\n" + two, "rows.rmm"));
  EXPECT_TRUE(rmm::load_text("forbidden *\nprocess text " + statements, "statements.rmm"));
  EXPECT_TRUE(rmm::load_text("forbidden *\nprocess text " + line, "line.rmm"));
  EXPECT_TRUE(rmm::load_text("forbidden A A A A A A A A A A A A A A A A A A A A\n" + blocks, "blocks.rmm"));
}

// A macro is its statements, written out; its body may call other macros.
TEST(Rmm, Macros) {
  const std::string macros =
      "macro SET(x, v) WRITE x := v endmacro\n"
      "macro UNSET(x) SET(x, 0) endmacro\n"
      "macro LOCK() L1: read: $f := flag[0]; if $f = 1 then {\n"
      "  read: $t := turn; if $t != my then { UNSET(flag[my]); read: turn = my; goto L0 }; goto L1 } endmacro\n";
  std::string text = dekker;
  const auto replace = [&](const std::string& from, const std::string& to, const std::string& end = "") {
    const std::size_t at = text.find(from);
    ASSERT_NE(at, std::string::npos) << from;
    text.replace(at, end.empty() ? from.size() : text.find(end, at) - at, to);
  };
  replace("process(2)", macros + "process(2)");
  replace("L0: WRITE flag[my] := 1;", "L0: SET(flag[my], 1);");
  replace("  L1: read: $f := flag[0];", "  LOCK();\n", "  CS: nop;");
  for (const char* model : {"tso", "pso"}) {
    const Verdicts bare = check(with(text, "write:"), model), locked = check(with(text, "locked write:"), model);
    EXPECT_TRUE(bare.symbolic && bare.explicitly) << text;
    EXPECT_TRUE(!locked.symbolic && !locked.explicitly) << text;
  }
  const std::pair<const char*, const char*> mistakes[] = {
      {"macro M(x) write: x := 1", "has no `endmacro`"},
      {"macro M(x) nop endmacro macro M() nop endmacro", "stands twice"},
      {"macro M(x) nop endmacro process text M()", "`M` has 1 parameters, not 0"},
      {"macro M(x) M(x); M(x) endmacro process text M(1)", "too long"},
      {"macro M(x) nop endmacro process text M(1", "has no end"},
      {"macro M", "`(` is expected here"},
      {"process registers $r = 0 : [0:1] $r = 1 : [0:1] text nop", "`$r` stands twice"}};
  for (const auto& [wrong, why] : mistakes) {
    const auto loaded = rmm::load_text(std::string("forbidden *\n") + wrong, "wrong.rmm");
    ASSERT_FALSE(loaded) << wrong;
    EXPECT_NE(loaded.error().message.find(why), std::string::npos) << render(loaded.error());
    EXPECT_EQ(loaded.error().line, 2U);
  }
}

TEST(Rmm, MistakesInJumps) {
  const auto into = rmm::load_text("forbidden *\nprocess\ntext\n  goto IN;\n  locked { nop; IN: nop }\n", "into.rmm");
  ASSERT_FALSE(into);
  EXPECT_EQ(into.error().line, 4U);
  EXPECT_NE(into.error().message.find("into a locked section"), std::string::npos);
  const auto nowhere = rmm::load_text("forbidden *\nprocess\ntext\n  goto NO\n", "nowhere.rmm");
  ASSERT_FALSE(nowhere);
  EXPECT_NE(nowhere.error().message.find("there is no label `NO`"), std::string::npos);
  EXPECT_FALSE(rmm::load_text("forbidden *\ndata x = 0 : [-2147483647:2147483647]\nprocess\ntext nop\n", "wide.rmm"));
}

TEST(Rmm, MistakesHaveAPlace) {
  const auto loaded = rmm::load_text("forbidden CS\nprocess\ntext\n  CS: write: x := 1\n", "wrong.rmm");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().line, 4U);
  EXPECT_EQ(loaded.error().column, 14U);
  EXPECT_NE(loaded.error().message.find("`x` is not declared"), std::string::npos);
}

}  // namespace
}  // namespace heddle
