// Unbounded buffers: published tables, exact fence sets, and random programs against explicit search with buffers of
// one to six stores. Every proof is certified by check/, everything found is shown by an explicit run that replays.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <tuple>

#include "buffers/linden_wolper.h"
#include "buffers/saturate.h"
#include "check/buffer_certificate.h"
#include "check/ir_replay.h"
#include "explore/search.h"
#include "ir/system.h"
#include "lang/dve/dve.h"
#include "lang/promela/promela.h"
#include "lang/rmm/rmm.h"
#include "models/models.h"
#include "support/protocols.h"
#include "support/random_dve.h"
#include "support/random_promela.h"
#include "support/unbounded.h"

namespace heddle {
namespace {

using namespace tests;

// All smallest sets of fences, by constraints: a safe set has a fence outside of every maximal unsafe set.
std::vector<std::uint64_t> smallest_sets(const std::function<tests::Protocol(std::uint64_t)>& make, const char* model,
                                         unsigned& checks) {
  const unsigned stores = make(0).stores;
  const auto safe = [&](std::uint64_t fences) {
    ++checks;
    const Loaded l = load(make(fences));
    const auto answer = decide(l, model);
    EXPECT_NE(answer.kind, buffers::Answer::Kind::Unknown) << (answer.stopped ? answer.stopped->text : "");
    return answer.kind == buffers::Answer::Kind::Holds;
  };
  std::vector<std::uint64_t> constraints, found;
  for (unsigned size = 0; size <= stores && found.empty(); ++size)
    for (std::uint64_t set = 0; set < std::uint64_t{1} << stores; ++set) {
      if (static_cast<unsigned>(std::popcount(set)) != size) continue;
      if (std::ranges::any_of(constraints, [&](std::uint64_t c) { return (c & set) == 0; })) continue;
      if (safe(set)) {
        found.push_back(set);
        continue;
      }
      std::uint64_t grown = set;
      for (unsigned i = 0; i < stores; ++i)
        if ((grown >> i & 1) == 0 && !safe(grown | std::uint64_t{1} << i)) grown |= std::uint64_t{1} << i;
      constraints.push_back(((std::uint64_t{1} << stores) - 1) & ~grown);
    }
  return found;
}

class Fences : public testing::TestWithParam<tests::FenceRow> {};

TEST_P(Fences, SmallestSets) {
  const tests::FenceRow& row = GetParam();
  ASSERT_EQ(row.make(0).stores, row.stores);
  unsigned checks = 0;
  const auto sets = smallest_sets(row.make, row.model, checks);
  ASSERT_FALSE(sets.empty());
  EXPECT_EQ(static_cast<unsigned>(std::popcount(sets.front())), row.minimum);
  EXPECT_EQ(sets.size(), row.sets);
  for (const std::uint64_t set : sets) {
    const Loaded fenced = load(row.make(set));
    certify(fenced, decide(fenced, row.model));
    for (std::uint64_t rest = set; rest != 0; rest &= rest - 1) {  // without any one of it: a run that replays
      const Loaded one_less = load(row.make(set & ~(rest & -rest)));
      EXPECT_NE(explicit_bound(one_less, row.model, 3), 0U);
    }
  }
  std::printf("%s: %u checks\n", row.name, checks);
}

INSTANTIATE_TEST_SUITE_P(Protocols, Fences, testing::ValuesIn(tests::fence_rows),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

bool explicit_deadlock(const Loaded& l, const char* model, unsigned bound) {
  const ir::System system(l.model.program, *models::machine(model), {.buffer_bound = bound, .visible = {}});
  explore::SearchOptions options;
  options.deadlocks = true;
  options.errors = false;
  core::Budget budget;
  return explore::search(system, options, budget).found.has_value();
}

// Figure 4 of Linden and Wolper: a loop of one process lets the other go round, whose buffer then grows too.
TEST(Buffers, Figure4) {
  tests::Protocol figure;
  figure.text =
      "byte x = 1, y = 1;\n"
      "active proctype p0() { l1: store(x, 1); l2: load(y, 1); l3: store(x, 0); l4: load(y, 1); goto l1 }\n"
      "active proctype p1() { l1: store(y, 1); l2: load(x, 0); l3: store(y, 0); l4: load(x, 1); goto l1 }\n";
  figure.bad = "x == 2";
  const Loaded l = load(figure);
  const auto answer = decide(l, "tso", 400);
  ASSERT_EQ(answer.kind, buffers::Answer::Kind::Holds) << (answer.stopped ? answer.stopped->text : "");
  EXPECT_GT(answer.accelerated, 0U);
  certify(l, answer);
  std::printf("figure 4: %lu states\n", static_cast<unsigned long>(answer.stored));

  // The state (1, 1, 0, 0, ((x,1)(x,0))*, ((y,1)(y,0))*) of the figure.
  const ir::Program& program = l.model.program;
  const auto accepts = [&](std::uint32_t p, std::uint32_t automaton, const std::vector<ir::BufferSets::Arc>& word) {
    std::uint32_t at = 0;
    for (const auto& symbol : word) {
      const auto& arcs = answer.proof.automata[automaton][at];
      const auto found = std::ranges::find_if(arcs, [&](const ir::BufferSets::Arc& a) {
        return !a.local && a.cell == symbol.cell && a.value == symbol.value;
      });
      if (found == arcs.end()) return false;
      at = found->target;
    }
    return std::ranges::any_of(answer.proof.automata[automaton][at], [&](const ir::BufferSets::Arc& a) {
      return a.local && answer.proof.locals[p][static_cast<std::size_t>(a.value)][0] ==
                            static_cast<std::int32_t>(program.processes[p].initial);
    });
  };
  EXPECT_TRUE(std::ranges::any_of(answer.proof.states, [&](const ir::BufferSets::State& s) {
    if (s.memory != std::vector<std::int32_t>{0, 0}) return false;
    std::vector<ir::BufferSets::Arc> mine, other;
    for (int n = 0; n < 6; ++n) {
      if (!accepts(0, s.automata[0], mine) || !accepts(1, s.automata[1], other)) return false;
      for (const std::int32_t value : {1, 0}) {
        mine.push_back({false, 0, value, 0});
        other.push_back({false, 1, value, 0});
      }
    }
    return true;
  }));

  // (4, 4) is a deadlock under sc; under tso it is one, too …
  EXPECT_TRUE(explicit_deadlock(l, "sc", 1));
  buffers::Question question;
  question.deadlocks = true;
  core::Budget budget;
  EXPECT_TRUE(buffers::saturate(l.model.program, question, budget).deadlock);
  // … and not one: with x = 1 in its buffer p0 is there as well, and both go on when it is committed.
  figure.text.replace(figure.text.find("l4: load(x, 1); goto l1"), 23, "l4: load(x, 1); on: goto l1");
  figure.bad = "p0@l4 && p1@l4 && x == 0 && y == 0";
  const Loaded both = load(figure);
  const auto there = decide(both, "tso", 400);
  ASSERT_EQ(there.kind, buffers::Answer::Kind::Violated);
  EXPECT_TRUE(std::ranges::any_of(there.contents, [](const auto& c) { return c.expression != "nothing"; }));
}

// What does not fit is refused before anything runs, by name and line.
TEST(Buffers, WhatDoesNotFitIsRefusedByName) {
  const std::tuple<const char*, ir::StoreOrder, const char*> rows[] = {
      {"chan c = [1] of { byte };\nactive proctype P() { c!1 }", ir::StoreOrder::Program,
       "refused.pml:2: it has a channel, c"},
      {"byte x;\nactive proctype P() { e: skip }\nactive proctype Q() { P@e -> skip }", ir::StoreOrder::Program,
       "refused.pml:3: this step reads or changes the state of another process"},
      {"byte x;\nactive proctype P() { timeout -> skip }", ir::StoreOrder::Program,
       "refused.pml:2: a timeout depends on all processes at once"},
      {"byte x, y;\nactive proctype P() {\n  x = y }", ir::StoreOrder::Program,
       "refused.pml:3: this statement makes several accesses to shared variables"},
      {"byte x;\nactive proctype P() {\n\n  atomic { x = 1; sync_all; x = 2 } }", ir::StoreOrder::Location,
       "refused.pml:4: this `sync_all` waits inside an atomic section"},
      {"byte x;\nactive proctype P() { e: skip }\nactive proctype Q() { assert(!P@e) }", ir::StoreOrder::Program,
       "refused.pml:3: "}};
  for (const auto& [text, order, why] : rows) {
    const auto loaded = promela::load_text(text, "refused.pml");
    ASSERT_TRUE(loaded) << render(loaded.error());
    buffers::Question question;
    question.order = order;
    const auto refused = buffers::refuse(loaded->program, question);
    ASSERT_TRUE(refused) << text;
    EXPECT_NE(refused->find(why), std::string::npos) << *refused;
  }
  const auto model = dve::load_text(
      "byte x;\nprocess P { state a, b; commit b; init a;\n  trans a -> b { effect x = 1; },\n  b -> a {}; }\nsystem "
      "async;\n",
      "refused.dve");
  ASSERT_TRUE(model) << render(model.error());
  EXPECT_EQ(buffers::refuse(*model, {}), "refused.dve:3: it has commit states, P.b");
}

// A section is one step of the search, but its states are states: conditions hold of them, too.
TEST(Buffers, SectionsAreJudgedInside) {
  const std::tuple<const char*, const char*, bool> rows[] = {
      {"x == 1", "atomic { x = 1; if :: y == 0 -> x = 2 :: y == 1 -> x = 3 fi; x = 0 }", true},
      {"x == 2", "atomic { x = 1; if :: y == 0 -> x = 2 :: y == 1 -> x = 3 fi; x = 0 }", true},
      {"x == 3 && y == 0", "atomic { x = 1; if :: y == 0 -> x = 2 :: y == 1 -> x = 3 fi; x = 0 }", false},
      {"x == 4", "atomic { x = 1; if :: y == 0 -> x = 2 :: y == 1 -> x = 3 fi; x = 0 }", false},
      {"P@cs", "atomic { x = 1; cs: x = 2; x = 3 }", true},
      {"P@cs && Q@seen", "atomic { x = 1; cs: x = 2; x = 3 }", true},
      {"P@cs && Q@seen && y == 0", "atomic { sync_all; x = 1; cs: x = 2; x = 3 }", false},
      {"P@cs && Q@seen && y == 0", "atomic { x = 1; cs: x = 2; x = 3 }", true}};
  for (const char* model : {"tso", "pso"})
    for (const auto& [bad, section, reachable] : rows) {
      tests::Protocol p;
      p.text = fmt::format(
          "byte x, y;\nactive proctype P() {{ {} }}\nactive proctype Q() {{ store(y, 1); seen: skip }}\n", section);
      p.bad = bad;
      SCOPED_TRACE(p.text + p.bad);
      const Loaded l = load(p);
      EXPECT_EQ(explicit_bound(l, model, 3) != 0, reachable);
      const auto answer = decide(l, model);
      EXPECT_EQ(answer.kind == buffers::Answer::Kind::Violated, reachable);
      if (!reachable) certify(l, answer);
      if (!answer.run.empty()) {
        const auto replayed =
            check::replay(l.model.program, model, 64, answer.run, {core::StateProposition{l.bad, true}});
        EXPECT_TRUE(replayed.confirmed) << replayed.why.text;
      }
    }
  // … and the checker does not take the search's word for it.
  tests::Protocol p;
  p.text = "byte x;\nactive proctype P() { do :: atomic { x = 1; cs: x = 2; x = 0 } od }\n";
  p.bad = "x == 3";
  Loaded l = load(p);
  const auto answer = decide(l, "tso");
  ASSERT_EQ(answer.kind, buffers::Answer::Kind::Holds);
  certify(l, answer);
  const auto inside = promela::add_proposition(l.model, "P@cs", "inside");
  ASSERT_TRUE(inside);
  core::Budget budget;
  const auto checked = check::check_buffer_sets(l.model.program, answer.proof, {{{*inside, true}}}, budget);
  EXPECT_FALSE(checked.verified);
  EXPECT_NE(checked.why.find("it holds what"), std::string::npos) << checked.why;
}

// Peterson's lock under pso: behind the flag a store-store fence is enough, behind the turn it is not (Memorax says so,
// ground-truth/fences.csv). Under tso it is nothing.
TEST(Buffers, StoreStoreFences) {
  const auto peterson = [](const char* first, const char* second) {
    tests::Protocol p;
    p.text = "byte f0, f1, t;\n";
    for (int i = 0; i < 2; ++i)
      p.text += fmt::format(
          "active proctype P{0}() {{\ntop: store(f{0}, 1); {2};\nstore(t, {1}); {3};\n"
          "wait: if :: load(f{1}, 0) -> goto cs :: load(f{1}, 1) fi;\n"
          "if :: load(t, {0}) -> goto cs :: load(t, {1}) -> goto wait fi;\ncs: store(f{0}, 0);\ngoto top\n}}\n",
          i, 1 - i, first, second);
    p.bad = "P0@cs && P1@cs";
    return p;
  };
  const std::tuple<const char*, const char*, bool, bool> rows[] = {{"sync", "sync", true, true},
                                                                   {"sync_stores", "sync", true, true},
                                                                   {"skip", "sync", true, false},
                                                                   {"sync", "sync_stores", false, false},
                                                                   {"sync_stores", "sync_stores", false, false}};
  for (const auto& [first, second, tso, pso] : rows)
    for (const char* model : {"tso", "pso"}) {
      SCOPED_TRACE(fmt::format("{} {} {}", first, second, model));
      const bool safe = std::string(model) == "tso" ? tso : pso;
      const Loaded l = load(peterson(first, second));
      EXPECT_EQ(explicit_bound(l, model, 4) == 0, safe);
      const auto answer = decide(l, model);
      EXPECT_EQ(answer.kind, safe ? buffers::Answer::Kind::Holds : buffers::Answer::Kind::Violated);
      if (safe) certify(l, answer);
    }
  // Message passing needs nothing else.
  for (const char* fence : {"skip", "sync_stores"}) {
    tests::Protocol p;
    p.text = fmt::format(
        "byte d, f;\nactive proctype W() {{ do :: store(d, 1); {0}; store(f, 1); {0}; store(f, 0); {0}; store(d, 0); "
        "{0} od }}\n"
        "active proctype R() {{ do :: load(f, 1) -> if :: load(d, 1) :: load(d, 0) -> stale: load(f, 1) fi :: skip od "
        "}}\n",
        fence);
    p.bad = "R@stale && f == 1 && d == 0";
    const Loaded l = load(p);
    const bool safe = std::string(fence) != "skip";
    EXPECT_EQ(explicit_bound(l, "pso", 3) == 0, safe);
    const auto answer = decide(l, "pso");
    EXPECT_EQ(answer.kind, safe ? buffers::Answer::Kind::Holds : buffers::Answer::Kind::Violated);
    if (safe) certify(l, answer);
  }
}

// A counter without end is found out on the way, and named, by both searches.
TEST(Buffers, CountersAreNamed) {
  const std::pair<const char*, const char*> rows[] = {
      {"byte x;\nactive proctype P() { int i; do :: store(x, 1); i++ od }\n", "P.i takes"},
      {"int x;\nactive proctype P() { int v; do :: load(x, v); store(x, v + 1) od }\n", "P.v takes"}};
  for (const auto& [text, name] : rows) {
    tests::Protocol p;
    p.text = text;
    p.bad = "x == -2";
    const Loaded l = load(p);
    const auto answer = decide(l, "tso");
    ASSERT_EQ(answer.kind, buffers::Answer::Kind::Unknown);
    ASSERT_TRUE(answer.stopped);
    EXPECT_NE(answer.stopped->text.find(name), std::string::npos) << answer.stopped->text;
    EXPECT_NE(answer.stopped->text.find("give it a smaller type"), std::string::npos) << answer.stopped->text;
    buffers::Question question;
    question.goals = {{l.bad, true}};
    core::Budget budget;
    const auto paper = buffers::linden_wolper(l.model.program, question, {}, budget);
    EXPECT_FALSE(paper.complete);
    ASSERT_TRUE(paper.stopped);
    EXPECT_NE(paper.stopped->text.find(name), std::string::npos) << paper.stopped->text;
  }
}

// A certificate from which a state or an arc of an automaton was taken is rejected with what is missing: the search is
// exact, so nothing in it is superfluous. (Where the states of a proof overlap, an arc may be; these do not.)
void expect_tight(const ir::Program& program, std::uint32_t bad, ir::StoreOrder order) {
  buffers::Question question;
  question.order = order;
  question.goals = {{bad, true}};
  ASSERT_EQ(buffers::refuse(program, question), std::nullopt);
  core::Budget budget;
  const auto answer = buffers::saturate(program, question, budget);
  ASSERT_EQ(answer.kind, buffers::Answer::Kind::Holds);
  const auto check = [&](const ir::BufferSets& sets) {
    return check::check_buffer_sets(program, sets, {{{bad, true}}}, budget);
  };
  EXPECT_TRUE(check(answer.proof).verified);
  const auto expect_missing = [&](const ir::BufferSets& sets, const std::string& what) {
    const auto checked = check(sets);
    EXPECT_FALSE(checked.verified) << what;
    EXPECT_TRUE(checked.why.find("leads out of the states") != std::string::npos ||
                checked.why.find("the initial state is in none") != std::string::npos)
        << what << ": " << checked.why;
  };
  for (std::size_t i = 0; i < answer.proof.states.size(); ++i) {
    ir::BufferSets less = answer.proof;
    less.states.erase(less.states.begin() + static_cast<std::ptrdiff_t>(i));
    expect_missing(less, fmt::format("without state {}", i));
  }
  for (std::size_t a = 0; a < answer.proof.automata.size(); ++a)
    for (std::size_t q = 0; q < answer.proof.automata[a].size(); ++q)
      for (std::size_t e = 0; e < answer.proof.automata[a][q].size(); ++e) {
        ir::BufferSets less = answer.proof;
        auto& arcs = less.automata[a][q];
        arcs.erase(arcs.begin() + static_cast<std::ptrdiff_t>(e));
        expect_missing(less, fmt::format("without arc {} of state {} of automaton {}", e, q, a));
      }
  // As text, and back.
  const std::string text = ir::certificate_text(program, answer.proof);
  const auto again = ir::parse_certificate(program, text, "certificate");
  ASSERT_TRUE(again) << render(again.error());
  EXPECT_EQ(again->order, order);
  EXPECT_TRUE(check(*again).verified);
}

TEST(Buffers, CertificatesNeedEveryStateAndArc) {
  const Loaded l = load(tests::peterson(1U << 1 | 1U << 4));
  expect_tight(l.model.program, l.bad, ir::StoreOrder::Program);
  const Loaded both = load(tests::peterson(1U << 0 | 1U << 1 | 1U << 3 | 1U << 4));
  expect_tight(both.model.program, both.bad, ir::StoreOrder::Location);

  const auto lock = rmm::load_text(
      "forbidden CS CS\ndata l = 0 : [0:1] n = 0 : [0:1]\nprocess(2)\ntext\n"
      "  cas(l, 0, 1);\n  CS: write: n := 1;\n  write: n := 0;\n  write: l := 0\n",
      "lock.rmm");
  ASSERT_TRUE(lock) << render(lock.error());
  expect_tight(lock->program, lock->forbidden, ir::StoreOrder::Program);

  auto model = dve::load_text(
      "byte x, y, z;\n"
      "process P { state a, b; init a; trans a -> b { effect x = 1, y = z; }, b -> a { guard y == z; effect x = 0; }; "
      "}\n"
      "process Q { state a; init a; trans a -> a { guard x == 1; effect z = 1; }; }\n"
      "system async;\n",
      "model.dve");
  ASSERT_TRUE(model) << render(model.error());
  const auto never = dve::add_proposition(*model, "x == 2", "never");
  ASSERT_TRUE(never);
  expect_tight(*model, *never, ir::StoreOrder::Program);
}

TEST(Buffers, CertificatesNameTheirProgram) {
  const Loaded l = load(tests::peterson(1U << 1 | 1U << 4));
  const std::string text = ir::certificate_text(l.model.program, decide(l, "tso").proof);
  const Loaded other = load(tests::dekker(0));
  const auto wrong = ir::parse_certificate(other.model.program, text, "certificate");
  ASSERT_FALSE(wrong);
  EXPECT_NE(wrong.error().message.find("another program"), std::string::npos);
  // One that differs in a constant only.
  tests::Protocol changed = tests::peterson(1U << 1 | 1U << 4);
  changed.text.replace(changed.text.find("store(f0, 1)"), 12, "store(f0, 3)");
  EXPECT_FALSE(ir::parse_certificate(load(changed).model.program, text, "certificate"));
}

// Contents as regular expressions, as the paper writes them.
TEST(Buffers, Figure2AsRegularExpressions) {
  tests::Protocol figure;
  figure.text =
      "byte x = 2;\n"
      "active proctype p() { l1: store(x, 1); l2: store(x, 0); goto l1 }\n";
  figure.bad = "x == 3";
  const Loaded l = load(figure);
  buffers::Question question;
  question.goals = {{l.bad, true}};
  core::Budget budget;
  budget.max_states = 1000;
  const auto answer = buffers::linden_wolper(l.model.program, question, {true, true}, budget);
  ASSERT_TRUE(answer.complete);
  const auto has = [&](const char* contents) {
    return std::ranges::any_of(answer.states,
                               [&](const auto& s) { return s.memory[0] == 2 && s.contents[0] == contents; });
  };
  EXPECT_TRUE(has("nothing"));
  EXPECT_TRUE(has("(x,1)"));
  EXPECT_TRUE(has("(x,1)((x,0)(x,1))*"));  // state 4: behind the first store again, accelerated
  EXPECT_FALSE(has("(x,1)(x,0)(x,1)"));    // … which contains what was there before
}

// A goal comes with what the processes that it is about may have buffered.
TEST(Buffers, GoalsComeWithContents) {
  tests::Protocol p;
  p.text =
      "byte x, y;\n"
      "active proctype a() { l: store(x, 1); if :: goto l :: goto m fi; m: store(y, 1); e: skip; goto e }\n"
      "active proctype b() { load(x, 1); f: skip; goto f }\n";
  p.bad = "a@e && b@f";
  const auto answer = decide(load(p), "tso");
  ASSERT_EQ(answer.kind, buffers::Answer::Kind::Violated);
  ASSERT_EQ(answer.contents.size(), 2U);
  EXPECT_EQ(answer.contents[0].expression, "(x,1)*(y,1)");
  EXPECT_EQ(answer.contents[1].expression, "nothing");
}

// … and so do assertions, of which only those contents are told with which they fail, and deadlocks.
TEST(Buffers, FailuresComeWithContents) {
  tests::Protocol p;
  p.text =
      "byte x, y;\n"
      "active proctype a() { byte v; l: store(x, 1); if :: goto l :: skip fi; store(y, 1); store(x, 2);\n"
      "  if :: store(y, 2) :: skip fi; load(y, v); assert(v == 1) }\n"
      "active proctype b() { load(y, 7) }\n";
  p.bad = "x == 3";
  const Loaded l = load(p);
  const auto failed = decide(l, "tso");
  ASSERT_TRUE(failed.failure);
  ASSERT_EQ(failed.contents.size(), 1U);
  EXPECT_EQ(failed.contents[0].expression, "(x,1)(x,1)*(y,1)(x,2)(y,2)");
  buffers::Question question;
  question.errors = false;
  question.deadlocks = true;
  core::Budget budget;
  const auto resting = buffers::saturate(l.model.program, question, budget);
  ASSERT_TRUE(resting.deadlock);
  ASSERT_EQ(resting.contents.size(), 2U);
  for (const auto& contents : resting.contents) EXPECT_EQ(contents.expression, "nothing");
  EXPECT_TRUE(check::replay(l.model.program, "tso", 64, resting.run, {core::Deadlock{}}).confirmed);
}

// Lamport's fast mutex for three processes.
TEST(Buffers, LamportFastThreeProcesses) {
  const tests::Protocol bare = tests::lamport_fast(0, 3);
  std::uint64_t fences = 0;
  for (unsigned p = 0; p < 3; ++p) fences |= std::uint64_t{1} << (7 * p + 1) | std::uint64_t{1} << (7 * p + 3);
  ASSERT_EQ(bare.stores, 21U);
  const Loaded fenced = load(tests::lamport_fast(fences, 3));
  const auto answer = decide(fenced, "tso");
  ASSERT_EQ(answer.kind, buffers::Answer::Kind::Holds) << (answer.stopped ? answer.stopped->text : "");
  std::printf("lamport fast, 3 processes: %lu states\n", static_cast<unsigned long>(answer.stored));
}

// Dijkstra's lock for three processes under pso with the one fence that it needs: many states of each memory, which are
// joined.
TEST(Buffers, DijkstraThreeProcesses) {
  tests::Protocol p;
  p.text = "byte flag[3], turn;\n";
  for (int i = 0; i < 3; ++i)
    p.text += fmt::format(
        "active proctype P{0}() {{ byte j, v;\n"
        "top: store(flag[{0}], 1);\n"
        "wait: load(turn, j);\nif :: j == {0} -> goto next :: else fi;\nload(flag[j], v);\n"
        "if :: v == 0 -> store(turn, {0}) :: else fi;\nv = 0; goto wait;\n"
        "next: store(flag[{0}], 2); sync;\n"
        "j = 0; load(flag[{1}], v);\nif :: v == 2 -> v = 0; goto top :: else fi;\n"
        "load(flag[{2}], v);\nif :: v == 2 -> v = 0; goto top :: else fi;\n"
        "cs: v = 0; store(flag[{0}], 0);\ngoto top\n}}\n",
        i, (i + 1) % 3, (i + 2) % 3);
  p.bad = "(P0@cs && P1@cs) || (P0@cs && P2@cs) || (P1@cs && P2@cs)";
  const Loaded l = load(p);
  for (const char* model : {"tso", "pso"}) {
    const auto answer = decide(l, model);
    ASSERT_EQ(answer.kind, buffers::Answer::Kind::Holds) << (answer.stopped ? answer.stopped->text : "");
    certify(l, answer);
    std::printf("dijkstra, 3 processes, %s: %lu states\n", model, static_cast<unsigned long>(answer.stored));
  }
}

// HEDDLE_RANDOM_PROGRAMS=5000 for the long run.
void compare_random(const char* model, unsigned programs, unsigned seed) {
  if (const char* wanted = std::getenv("HEDDLE_RANDOM_PROGRAMS"))
    programs = static_cast<unsigned>(std::strtoul(wanted, nullptr, 10));
  std::mt19937 random(seed);
  unsigned decided = 0, open = 0, reached = 0, runs = 0, papers = 0, longer = 0;
  for (unsigned n = 0; n < programs; ++n) {
    const unsigned processes = 2 + random() % 2;
    const tests::Protocol program = random_program(random, processes);
    const std::string &text = program.text, &bad = program.bad;
    const Loaded l = load(program);
    const auto answer = decide(l, model, 300);
    const unsigned bound = explicit_bound(l, model, 6, 20'000);
    if (answer.kind == buffers::Answer::Kind::Unknown) {
      ++open;
      continue;
    }
    ++decided;
    const bool violated = answer.kind == buffers::Answer::Kind::Violated;
    reached += violated;
    if (!answer.run.empty()) {
      ++runs;
      const auto replayed =
          check::replay(l.model.program, model, 64, answer.run, {core::StateProposition{l.bad, true}});
      EXPECT_TRUE(replayed.confirmed) << replayed.why.text << "\n" << text << bad;
    }
    EXPECT_TRUE(violated || bound == 0) << text << bad;
    EXPECT_TRUE(!violated || bound != 0 || !answer.run.empty()) << text << bad;
    longer += violated && bound == 0;
    if (!violated) certify(l, answer);
    if (std::string(model) == "tso" && processes == 2 && n % 4 == 0) {
      buffers::Question question;
      question.goals = {{l.bad, true}};
      core::Budget budget;
      budget.max_states = 60;
      if (l.model.program.holder == ir::none)
        for (const bool sleeping : {true, false}) {
          const auto paper = buffers::linden_wolper(l.model.program, question, {sleeping}, budget);
          papers += paper.complete;
          if (paper.complete || paper.errors != 0) {
            EXPECT_EQ(paper.errors != 0, violated) << text << bad;
          }
        }
      question.goals.clear();
      question.deadlocks = true;
      const auto resting = buffers::saturate(l.model.program, question, budget);
      if (resting.kind != buffers::Answer::Kind::Unknown) {
        EXPECT_EQ(resting.deadlock, explicit_deadlock(l, model, 4)) << text;
      }
    }
  }
  std::printf(
      "%s: %u decided (%u reachable, %u with a run, %u by longer buffers only), %u open; %u searches of the paper "
      "ended\n",
      model, decided, reached, runs, longer, open, papers);
  EXPECT_GT(runs, reached / 2);
  EXPECT_GT(decided, programs / 2);
}

// Random DVE models, whose transitions read and store several cells: what is found with buffers of one to six stores is
// found here, and nothing else; run-time errors and deadlocks too.
TEST(Buffers, RandomDveModels) {
  unsigned decided = 0, violated = 0, runs = 0, refused = 0, open = 0;
  for (std::uint64_t seed = 1; seed <= 400; ++seed) {
    tests::RandomDve random(seed);
    const tests::RandomModel model = random.next();
    auto program = dve::load_text(model.text, "random.dve", model.atomic);
    ASSERT_TRUE(program) << render(program.error()) << model.text;
    const auto asked = dve::add_proposition(*program, model.proposition, "asked");
    ASSERT_TRUE(asked);
    for (const char* name : {"tso", "pso"}) {
      buffers::Question question;
      question.order = std::string(name) == "tso" ? ir::StoreOrder::Program : ir::StoreOrder::Location;
      question.goals = {{*asked, true}};
      question.deadlocks = seed % 2 == 0;
      if (buffers::refuse(*program, question)) {
        ++refused;
        continue;
      }
      core::Budget budget;
      budget.max_states = 300;
      const auto answer = buffers::saturate(*program, question, budget);
      if (answer.kind == buffers::Answer::Kind::Unknown) {
        ++open;
        continue;
      }
      ++decided;
      bool found = false;
      for (unsigned bound = 1; bound <= 6 && !found; ++bound) {
        const ir::System system(*program, *models::machine(name), {.buffer_bound = bound, .visible = {*asked}});
        explore::SearchOptions options;
        options.goals = {{*asked, true}};
        options.deadlocks = question.deadlocks;
        core::Budget all;
        found = explore::search(system, options, all).found.has_value();
      }
      EXPECT_EQ(answer.kind == buffers::Answer::Kind::Violated, found) << name << "\n"
                                                                       << model.text << model.proposition;
      violated += found;
      if (!answer.run.empty()) {
        const core::Claim claim = answer.deadlock ? core::Claim{core::Deadlock{}}
                                  : answer.goal   ? core::Claim{core::StateProposition{*asked, true}}
                                                  : core::Claim{core::Assertion{}};
        runs += check::replay(*program, name, 64, answer.run, claim).confirmed;
      }
      if (answer.kind != buffers::Answer::Kind::Holds) continue;
      const auto checked =
          check::check_buffer_sets(*program, answer.proof, {{{*asked, true}}, true, question.deadlocks}, budget);
      EXPECT_TRUE(checked.verified) << checked.why << "\n" << model.text;
    }
  }
  std::printf("dve: %u decided (%u violated, %u with a run that replays), %u refused, %u open\n", decided, violated,
              runs, refused, open);
  EXPECT_GT(decided, 200U);
  EXPECT_GT(runs, violated / 2);
}

// Over-approximations: what they prove is certified and not found with buffers of one to six stores. Their use is what
// the exact search leaves open.
void compare_approximations(const char* model, unsigned programs, unsigned seed) {
  std::mt19937 random(seed);
  unsigned safe = 0, open = 0, of_safe[4] = {}, of_open[4] = {};
  for (unsigned n = 0; n < programs; ++n) {
    const unsigned processes = 2 + random() % 2;
    const tests::Protocol program = random_program(random, processes);
    const Loaded l = load(program);
    const auto exact = decide(l, model, 150);
    if (exact.kind == buffers::Answer::Kind::Violated && n % 4 != 0) continue;
    safe += exact.kind == buffers::Answer::Kind::Holds;
    open += exact.kind == buffers::Answer::Kind::Unknown;
    std::optional<unsigned> bound;
    for (const unsigned window : {1U, 2U, 3U}) {
      const auto answer = decide(l, model, 3000, window);
      EXPECT_NE(answer.kind, buffers::Answer::Kind::Violated);
      if (answer.kind != buffers::Answer::Kind::Holds) continue;
      certify(l, answer);
      if (!bound) bound = explicit_bound(l, model, processes == 2 ? 6 : 3);
      EXPECT_EQ(*bound, 0U) << program.text << program.bad;
      of_safe[window] += exact.kind == buffers::Answer::Kind::Holds;
      of_open[window] += exact.kind == buffers::Answer::Kind::Unknown;
    }
  }
  std::printf("%s: of %u safe, windows of 1, 2, 3 prove %u, %u, %u; of %u open %u, %u, %u\n", model, safe, of_safe[1],
              of_safe[2], of_safe[3], open, of_open[1], of_open[2], of_open[3]);
  EXPECT_GT(of_safe[1], safe / 2);
}

// A reader that sees 1 three times before 3, of which there are two: windows of one store show no end of them.
TEST(Buffers, ApproximationsMayStayOpen) {
  tests::Protocol p;
  p.text =
      "byte x;\n"
      "active proctype w() { store(x, 1); store(x, 2); store(x, 1); store(x, 2); store(x, 3) }\n"
      "active proctype r() { load(x, 1); load(x, 2); load(x, 1); load(x, 2); load(x, 1); load(x, 2); load(x, 3);"
      " seen: skip }\n";
  p.bad = "r@seen";
  const Loaded l = load(p);
  for (const char* model : {"tso", "pso"}) {
    EXPECT_EQ(decide(l, model).kind, buffers::Answer::Kind::Holds);
    const auto coarse = decide(l, model, 20000, 1);
    EXPECT_EQ(coarse.kind, buffers::Answer::Kind::Unknown);
    ASSERT_TRUE(coarse.stopped);
    EXPECT_EQ(coarse.stopped->kind, core::Reason::Kind::Open);
    const auto fine = decide(l, model, 20000, 3);
    ASSERT_EQ(fine.kind, buffers::Answer::Kind::Holds);
    certify(l, fine);
  }
}

TEST(Buffers, ApproximationsTso) { compare_approximations("tso", 150, 3); }
TEST(Buffers, ApproximationsPso) { compare_approximations("pso", 150, 4); }

TEST(Buffers, RandomProgramsTso) { compare_random("tso", 300, 1); }
TEST(Buffers, RandomProgramsPso) { compare_random("pso", 150, 2); }

}  // namespace
}  // namespace heddle
