// What docs/architecture.md says about adding a machine, axioms, a front end, an engine or a property is enough: each is
// tried with a small made-up one that exists here only, through the same functions as the command line.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <type_traits>
#include <utility>

#include "drive/explicit_engine.h"
#include "drive/portfolio.h"
#include "drive/referee.h"
#include "ir/build.h"
#include "lang/litmus/parse.h"
#include "lang/litmus/run.h"
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

// Axioms that order nothing but the accesses of one location.
template <unsigned W>
bool coherence_alone(const axioms::Execution<W>& x, axioms::Judge<W>& judge) {
  return axioms::coherent(x, judge) && axioms::atomic(x, judge);
}

TEST(Extension, axioms_are_a_row_with_its_traits) {
  const axioms::Model made_up{.name = "made-up",
                              .summary = "coherence alone",
                              .consistent = coherence_alone<1>,
                              .consistent_256 = coherence_alone<4>,
                              .consistent_1024 = coherence_alone<16>,
                              .consistent_4096 = coherence_alone<64>,
                              .needs_deps = false,
                              .po_rf_acyclic = false,
                              .hardware = axioms::Hardware::None,
                              .language = false,
                              .all_release_acquire = false,
                              .thread_release_sequences = false,
                              .weak_cas_fails = false};
  const auto allowed = [&](const axioms::Model& model, const std::string& condition) {
    const std::string text =
        "X86 test\n{}\n P0          | P1          ;\n MOV [x],$1  | MOV EAX,[y] ;\n MFENCE      | MFENCE      ;\n"
        " MOV [y],$1  | MOV EBX,[x] ;\n MOV [x],$2  | MOV ECX,[x] ;\nexists (" +
        condition + ")\n";
    const auto test = lang::litmus::parse_test("made-up.litmus", text);
    EXPECT_TRUE(test) << test.error().message;
    const lang::litmus::ModelChoice choice{"made-up", &model, nullptr};
    const auto results = lang::litmus::run_test(*test, {&choice, 1}, {});
    EXPECT_EQ(results.size(), 1U);
    return results.front().positive != 0;
  };
  const std::string late = "1:EAX=1 /\\ 1:EBX=0", backwards = "1:EBX=2 /\\ 1:ECX=1";
  EXPECT_TRUE(allowed(made_up, late));  // message passing across fences
  EXPECT_FALSE(allowed(*axioms::find_model("rmo"), late));
  EXPECT_FALSE(allowed(made_up, backwards));
}

// A question about states is a proposition of the program, whichever language it is written in. Other properties are
// cases of core::Property: one without a word of its own could be reported by nobody, and a word without a case could
// not be replayed.
TEST(Extension, a_state_property_is_a_proposition_of_the_subject) {
  drive::Subject subject = store_buffering();
  ir::Program program = *subject.steps();
  const std::uint32_t made_up = ir::add_proposition(program, ir::make_in_state(program, 1, 3), "Q saw it");
  subject.form = std::move(program);
  subject.properties.list = {core::StateProposition{made_up, true}};
  const core::Verdict verdict = explored(subject, *models::find("sc"));
  EXPECT_EQ(verdict.outcome, core::Outcome::Unsafe) << verdict.reason.text;
  EXPECT_EQ(verdict.violation, "'Q saw it' is reachable");
}

template <std::size_t... I>
std::vector<core::Property> every_property(std::index_sequence<I...>) {
  return {std::variant_alternative_t<I, core::Property>{}...};
}

TEST(Extension, every_property_has_a_word_that_means_it) {
  for (const core::Property& property :
       every_property(std::make_index_sequence<std::variant_size_v<core::Property>>())) {
    const bool found_by_a_thread = std::holds_alternative<core::Assertion>(property) ||
                                   std::holds_alternative<core::Overflow>(property) ||
                                   std::holds_alternative<core::PropositionError>(property);
    const std::string word = core::word_of({property, found_by_a_thread ? "made-up" : "", 0});
    ASSERT_FALSE(word.empty()) << property.index();
    if (found_by_a_thread) EXPECT_EQ(word, "made-up");
    else EXPECT_EQ(core::claim_of(word).property.index(), property.index()) << word;
  }
}

}  // namespace
}  // namespace heddle
