// Memorax programs: which need fences, as Memorax answers (ground-truth/fences.csv, rows memorax-run), by explicit
// states and by buffer languages.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

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

TEST(Rmm, MistakesHaveAPlace) {
  const auto loaded = rmm::load_text("forbidden CS\nprocess\ntext\n  CS: write: x := 1\n", "wrong.rmm");
  ASSERT_FALSE(loaded);
  EXPECT_EQ(loaded.error().line, 4U);
  EXPECT_EQ(loaded.error().column, 14U);
  EXPECT_NE(loaded.error().message.find("`x` is not declared"), std::string::npos);
}

}  // namespace
}  // namespace heddle
