// What docs/architecture.md says about adding a machine, a front end or an engine is enough: each is tried with a small
// made-up one that exists here only, through the same functions as the command line.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <type_traits>

#include "drive/explicit_engine.h"
#include "drive/portfolio.h"
#include "drive/referee.h"
#include "ir/build.h"
#include "memory/models.h"

namespace heddle {
namespace {

// A front end: "x y" is a program of two processes, the first of which stores to x and reads y, the second the other
// way round, and a proposition that is true when both have read 0.
drive::Subject store_buffering() {
  ir::Program program;
  program.name = "made-up";
  for (const char* name : {"x", "y"}) program.variables.push_back({.name = name, .initial = {0}});
  ir::ExprId both = ir::no_expr;
  for (std::uint32_t p = 0; p < 2; ++p) {
    ir::Process process;
    process.name = p == 0 ? "P" : "Q";
    process.states.resize(4);
    const char* const names[] = {"begin", "stored", "saw_nothing", "saw_it"};
    for (std::size_t s = 0; s < 4; ++s) process.states[s].name = names[s];
    const auto edge = [&](std::uint32_t source, std::uint32_t target) -> ir::Edge& {
      process.edges.push_back(static_cast<std::uint32_t>(program.edges.size()));
      return program.edges.emplace_back(ir::Edge{.process = p,
                                                 .number = static_cast<std::uint32_t>(process.edges.size() - 1),
                                                 .source = source,
                                                 .target = target});
    };
    edge(0, 1).effects.push_back({.var = p, .value = ir::make_const(program, 1)});
    for (const int value : {0, 1})
      edge(1, value == 0 ? 2 : 3).guard = ir::make_binary(program, ir::Op::Eq, ir::make_var(program, 1 - p),
                                                          ir::make_const(program, value), core::no_site);
    program.processes.push_back(process);
    const ir::ExprId there = ir::make_in_state(program, p, 2);
    both = both == ir::no_expr ? there : ir::make_binary(program, ir::Op::And, both, there, core::no_site);
  }
  program.propositions.push_back({.text = "both saw nothing", .condition = both});
  ir::finish(program);
  return {std::move(program), {{core::StateProposition{0, true}}}};
}

core::Verdict explored(const drive::Subject& subject, const models::Model& model, bool reduced = true) {
  drive::Task task;
  task.files = {"made-up"};
  task.por.set(reduced);
  core::Budget budget;
  EXPECT_FALSE(drive::explicit_refuses(subject, model, task));
  return drive::judge(subject, model, "explicit", task, drive::run_explicit(subject, model, task, budget));
}

TEST(Extension, a_front_end_gives_a_subject_and_nothing_else) {
  const drive::Subject subject = store_buffering();
  EXPECT_EQ(explored(subject, *models::find("sc")).outcome, core::Outcome::Safe);
  const core::Verdict tso = explored(subject, *models::find("tso"));
  EXPECT_EQ(tso.outcome, core::Outcome::Unsafe) << tso.reason.text;
  EXPECT_EQ(tso.violation_kind, "reach");
  EXPECT_EQ(tso.violation, "'both saw nothing' is reachable");
  EXPECT_TRUE(tso.trace.has_value());
}

// A machine that does what tso does and declares nothing.
class Undeclared : public memory::Machine {
 public:
  explicit Undeclared(const char* name) : name_(name) {}
  std::string_view name() const override { return name_; }
  memory::Performed perform(memory::Buffer& b, memory::Cells& c, const core::Request& r,
                            unsigned bound) const override {
    return memory::tso().perform(b, c, r, bound);
  }
  void flushable(const memory::Buffer& b, std::vector<unsigned>& i) const override { memory::tso().flushable(b, i); }
  memory::Flushed flush(memory::Buffer& b, memory::Cells& c, unsigned i) const override {
    return memory::tso().flush(b, c, i);
  }

 private:
  const char* name_;
};

TEST(Extension, a_machine_without_declared_traits_is_explored_without_reduction) {
  const drive::Subject subject = store_buffering();
  const Undeclared machine("tso");  // the naive machine of that name referees
  const models::Model model{.name = "tso", .contains = "sc", .summary = "made up", .machine = &machine};
  const core::Verdict reduced = explored(subject, model), whole = explored(subject, model, false);
  EXPECT_EQ(reduced.outcome, core::Outcome::Unsafe) << reduced.reason.text;
  EXPECT_EQ(reduced.statistics.states, whole.statistics.states);
}

TEST(Extension, a_machine_without_a_naive_machine_is_never_believed) {
  const Undeclared machine("made-up");
  const models::Model model{.name = "made-up", .contains = "", .summary = "made up", .machine = &machine};
  const core::Verdict verdict = explored(store_buffering(), model);
  EXPECT_EQ(verdict.outcome, core::Outcome::Unknown);
  EXPECT_EQ(verdict.reason.kind, core::Reason::Kind::Internal);
}

// An engine is a row; what it says is believed only with evidence or a run.
static_assert(!std::is_default_constructible_v<core::Nothing>, "only core::conclude() makes a Nothing");

TEST(Extension, an_engine_is_a_row_and_its_claims_are_replayed) {
  const drive::Subject subject = store_buffering();
  const models::Model& sc = *models::find("sc");
  const drive::Engine liar{
      "liar",
      [](const drive::Subject&, const models::Model&, const drive::Task&) { return std::optional<core::Reason>(); },
      [](const drive::Subject&, const models::Model&, const drive::Task&, core::Budget&) {
        core::Finding finding;
        finding.what = core::Found{{core::StateProposition{0, true}}, core::MoveRun{{{core::Move::Kind::Step, 0, 0}}}};
        return finding;
      }};
  const drive::Engine idle{
      "idle", liar.refuses,
      [](const drive::Subject&, const models::Model&, const drive::Task&, core::Budget&) { return core::Finding{}; }};
  drive::Task task;
  for (const drive::Engine& engine : {liar, idle}) {
    core::Budget budget;
    const core::Verdict verdict =
        drive::take_turns({{engine.name,
                            [&](core::Budget& part) {
                              return drive::judge(subject, sc, engine.name, task, engine.run(subject, sc, task, part));
                            }}},
                          budget);
    EXPECT_EQ(verdict.outcome, core::Outcome::Unknown) << engine.name;
    EXPECT_EQ(verdict.reason.kind, core::Reason::Kind::Internal) << engine.name;
  }
}

}  // namespace
}  // namespace heddle
