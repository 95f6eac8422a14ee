// Robustness against tso with unbounded buffers: programs of the literature with the number of fences that other tools
// need for it, and random programs against the enumeration of all runs.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <random>

#include "buffers/attacks.h"
#include "check/ir_replay.h"
#include "check/naive_replay.h"
#include "check/sc_order.h"
#include "drive/ladder.h"
#include "drive/repair.h"
#include "lang/promela/promela.h"
#include "report/repairs.h"
#include "support/own_folder.h"
#include "support/protocols.h"

namespace heddle {
namespace {

drive::Task task_of(const std::string& name, const std::string& text) {
  const auto path = tests::own_folder() / (name + ".pml");
  std::ofstream(path, std::ios::binary) << text;
  drive::Task task;
  task.files = {path.string()};
  task.models.set({"tso"});
  task.properties.set({"robust"});
  return task;
}

core::Verdict checked(const drive::Task& task) {
  core::Budget budget;
  const auto verdicts = drive::check(*drive::language_of(task.files.front()), task, budget);
  if (!verdicts) throw std::runtime_error(render(verdicts.error()));
  return verdicts->front();
}

// Waiting is polling: what a loop reads on its way counts.
std::string poll(const std::string& label, const std::string& cell, const std::string& until,
                 const std::string& not_yet) {
  return fmt::format("{}: if :: load({}, {}) :: load({}, {}) -> goto {} fi;\n", label, cell, until, cell, not_yet,
                     label);
}

std::string dekker() {
  std::string text = "bit f0, f1, t;\n";
  for (int i = 0; i < 2; ++i)
    text += fmt::format(
        "active proctype P{0}() {{\n"
        "top: store(f{0}, 1);\n"
        "check: if :: load(f{1}, 0) -> goto cs :: load(f{1}, 1) fi;\n"
        "if :: load(t, {0}) -> goto check :: load(t, {1}) fi;\n"
        "store(f{0}, 0);\n{2}goto top;\n"
        "cs: store(t, {1});\nstore(f{0}, 0);\ngoto top\n}}\n",
        i, 1 - i, poll("wait", "t", std::to_string(i), std::to_string(1 - i)));
  return text;
}

std::string burns() {
  return "bit f0, f1;\n"
         "active proctype P0() {\ntop: store(f0, 1);\n" +
         poll("wait", "f1", "0", "1") +
         "cs: store(f0, 0);\ngoto top\n}\n"
         "active proctype P1() {\ntop: store(f1, 0);\n" +
         poll("wait", "f0", "0", "1") +
         "store(f1, 1);\n"
         "if :: load(f0, 0) :: load(f0, 1) -> goto top fi;\n"
         "cs: goto top\n}\n";
}

// The owner of a queue takes two items from its tail while a thief takes one from its head; who sees a conflict takes
// the lock. The owner's text has two pops, the thief's one steal.
std::string work_stealing(bool fenced) {
  const char* const fence = fenced ? "sync;\n" : "";
  const auto pop = [&](int n) {
    return fmt::format(
        "load(t, v); v = v - 1;\nstore(t, v);\n{0}"
        "load(h, w);\n"
        "if :: w > v -> v = v + 1; store(t, v);\n"
        "    atomic {{ l == 0 -> l = 1 }};\n"
        "    load(t, v); v = v - 1; atomic {{ t = v }};\n"
        "    load(h, w);\n"
        "    if :: w > v -> v = v + 1; store(t, v) :: else fi;\n"
        "    atomic {{ l = 0 }}\n"
        ":: else fi;\nv = 0; w = 0;\np{1}: skip;\n",
        fence, n);
  };
  return "byte h, t = 2;\nbit l;\n"
         "active proctype owner() { byte v, w;\n" +
         pop(1) + pop(2) + "}\n" +
         fmt::format(
             "active proctype thief() {{ byte v, w;\n"
             "atomic {{ l == 0 -> l = 1 }};\n"
             "load(h, v); v = v + 1;\nstore(h, v);\n{}"
             "load(t, w);\n"
             "if :: v > w -> v = v - 1; store(h, v) :: else fi;\n"
             "atomic {{ l = 0 }}\n}}\n",
             fence);
}

// CLH: each process waits for the one before it; tail is exchanged in one locked instruction, or by a load and a
// compare-and-swap.
std::string clh(unsigned processes, bool by_load) {
  std::string text = fmt::format("byte tail = {};\nbit locked[{}];\n", processes, processes + 1);
  for (unsigned i = 0; i < processes; ++i)
    text += fmt::format(
        "active proctype P{}() {{ byte mine = {}, pred;\n"
        "top: store(locked[mine], 1);\n{}"
        "wait: if :: load(locked[pred], 0) :: load(locked[pred], 1) -> goto wait fi;\n"
        "cs: store(locked[mine], 0);\nmine = pred;\ngoto top\n}}\n",
        i, i,
        by_load ? "again: load(tail, pred);\n"
                  "if :: atomic { tail == pred -> tail = mine } :: atomic { tail != pred -> goto again } fi;\n"
                : "atomic { pred = tail; tail = mine };\n");
  return text;
}

std::string mcs(unsigned processes) {
  std::string text = fmt::format("byte tail, next[{}];\nbit waits[{}];\n", processes + 1, processes + 1);
  for (unsigned i = 1; i <= processes; ++i)
    text += fmt::format(
        "active proctype P{0}() {{ byte pred, succ;\n"
        "top: store(next[{0}], 0);\n"
        "atomic {{ pred = tail; tail = {0} }};\n"
        "if :: pred == 0 -> goto cs :: else fi;\n"
        "store(waits[{0}], 1);\nstore(next[pred], {0});\n"
        "wait: if :: load(waits[{0}], 0) :: load(waits[{0}], 1) -> goto wait fi;\n"
        "cs: pred = 0; load(next[{0}], succ);\n"
        "if :: succ != 0 -> goto pass :: else fi;\n"
        "if :: atomic {{ tail == {0} -> tail = 0; goto top }} :: atomic {{ tail != {0} }} fi;\n"
        "find: load(next[{0}], succ);\nif :: succ == 0 -> goto find :: else fi;\n"
        "pass: store(waits[succ], 0);\nsucc = 0; goto top\n}}\n",
        i);
  return text;
}

// Treiber's stack: two processes push a node each and pop one.
std::string stack() {
  std::string text = "byte top, next[3];\n";
  for (int i = 1; i <= 2; ++i)
    text += fmt::format(
        "active proctype P{0}() {{ byte old, below;\n"
        "push: load(top, old);\nstore(next[{0}], old);\n"
        "if :: atomic {{ top == old -> top = {0} }} :: atomic {{ top != old -> goto push }} fi;\n"
        "pop: load(top, old);\nif :: old == 0 -> goto done :: else fi;\n"
        "load(next[old], below);\n"
        "if :: atomic {{ top == old -> top = below }} :: atomic {{ top != old -> goto pop }} fi;\n"
        "done: skip\n}}\n",
        i);
  return text;
}

// Non-blocking write: a version counts up around the data; the second process then reads.
const char* const nbw =
    "byte v, d;\n"
    "active proctype W() { store(v, 1); store(d, 1); store(v, 2) }\n"
    "active proctype WR() { byte a, b, c; store(v, 1); store(d, 2); store(v, 2);\n"
    "  load(v, a); load(d, b); load(v, c) }\n";

// … with a reader that held a lock before and one that takes it afterwards: robust, although there are triangular races
// (the lock is passed on by a buffered store, and data are then loaded). `take` takes the lock.
std::string nbw_locked(const std::string& take) {
  const std::string read =
      "again: load(v, a); load(d, b); load(v, c); if :: a == c && (a & 1) == 0 :: else -> goto again fi;\n";
  return "byte v, d; short free; bit z;\n"
         "active proctype R() { store(free, 1) }\n"
         "active proctype W() { byte c; load(v, c); store(v, c + 1); store(d, 1); store(v, c + 2) }\n"
         "active proctype LR() { byte a, b, c; short f; " +
         take + " store(z, 1); store(free, 1);\n" + read +
         "}\n"
         "active proctype RL() { byte a, b, c; short f;\n" +
         read + take + " load(z, b); store(free, 1) }\n";
}
const char* const waits = "atomic { free == 1 -> free = 0 };";
// Looks at the lock while another process has it, which shows that its release is still buffered.
const char* const counts_down =
    "lock: atomic { f = free; free = free - 1 };\n"
    "if :: f > 0 :: else -> spin: load(free, f); if :: f > 0 -> goto lock :: else -> goto spin fi fi;";

// Java's parker (Dice, 2009): the permit is taken by a store, then the caller looks at its condition again.
const char* const parker =
    "bit counter = 1, condition, mutex;\n"
    "active proctype P() {\n"
    "again: if :: load(condition, 1) -> goto done :: load(condition, 0) fi;\n"
    "park: if :: load(counter, 1) :: load(counter, 0) -> goto park fi;\n"
    "  store(counter, 0);\n"
    "  goto again;\n"
    "done: skip\n}\n"
    "active proctype U() { store(condition, 1);\n"
    "  atomic { mutex == 0 -> mutex = 1 }; store(counter, 1); atomic { mutex = 0 } }\n";

// ground-truth/fences.csv, rows `robust`: the fewest fences under which every run is one of sc.
TEST(Robust, FencesOfTheLiterature) {
  const struct {
    const char* name;
    std::string text;
    std::size_t fences;
  } rows[] = {{"simple_dekker", tests::simple_dekker(0).text, 2},
              {"dekker", dekker(), 4},
              {"peterson", tests::peterson(0).text, 2},
#ifndef HEDDLE_SANITIZED  // a proof has ten seconds
              {"lamport_fast3", tests::lamport_fast(0, 3).text, 6},
#endif
              {"lamport_fast2", tests::lamport_fast(0).text, 4},
              {"dijkstra", tests::dijkstra(0).text, 4},
              {"burns", burns(), 3},
              {"work_stealing", work_stealing(false), 3},
              {"work_stealing_fenced", work_stealing(true), 0},
              {"clh", clh(3, false), 0},
              {"clh_by_load", clh(2, true), 2},
              {"mcs", mcs(3), 0},
              {"lock_free_stack", stack(), 0},
              {"nbw", nbw, 1},
              {"nbw_locked", nbw_locked(waits), 0},
              {"nbw_counting_lock", nbw_locked(counts_down), 1},
              {"parker", parker, 1}};
  for (const auto& row : rows) {
    SCOPED_TRACE(row.name);
    drive::Task task = task_of(row.name, row.text);
    const core::Verdict verdict = checked(task);
    EXPECT_EQ(verdict.outcome, row.fences == 0 ? core::Outcome::Safe : core::Outcome::Unsafe)
        << verdict.violation << verdict.reason.text;
    core::Budget budget;
    const auto repairs = drive::repair(*drive::language_of(".pml"), task, {}, budget);
    ASSERT_TRUE(repairs) << render(repairs.error());
    const drive::Repair& repair = repairs->front();
    ASSERT_EQ(repair.outcome, core::Outcome::Safe) << repair.summary;
    EXPECT_EQ(repair.places.size(), row.fences) << report::text_of({repair});
    std::printf("%-22s %s\n", row.name, repair.summary.c_str());
    if (row.fences == 0) continue;
    task = task_of(std::string(row.name) + "_repaired", repair.text);
    EXPECT_EQ(checked(task).outcome, core::Outcome::Safe) << repair.text;
  }
}

// A proof that nothing bad is reached says nothing of robustness, and nothing is said of infinite runs.
TEST(Robust, WhatTheEngineDoesNotAnswer) {
  const auto said = [](const drive::Task& task) {
    core::Budget budget;
    const auto verdicts = drive::check(*drive::language_of(task.files.front()), task, budget);
    return verdicts ? std::string("SAFE") : verdicts.error().message;
  };
  const std::string proof = (tests::own_folder() / "peterson.proof").string();
  drive::Task task = task_of("peterson_bare", tests::peterson(0).text);
  task.properties.set({"assertion"});
  task.reach.set({"t == 7"});
  task.engine.set("buffers");
  task.certificate.set(proof);
  EXPECT_EQ(said(task), "SAFE");
  task = task_of("peterson_bare", tests::peterson(0).text);
  task.check_certificate.set(proof);
  EXPECT_NE(said(task).find("no certificates for --property robust"), std::string::npos) << said(task);
  task = task_of("peterson_bare", tests::peterson(0).text);
  task.properties.set({"assertion"});
  task.engine.set("buffers");
  task.ltl.set({"<> (t == 1)"});
  EXPECT_NE(said(task).find("it is undecidable; --engine ltl checks it with buffers of --buffer N"), std::string::npos)
      << said(task);
  // Nor does the search for infinite runs look at robustness, whoever asks for it beside them.
  const char* const no_ltl = "the ltl engine does not have --property robust";
  const std::string store_buffering =
      "int x, y;\n"
      "active proctype P() { int r; store(x, 1); load(y, r) }\n"
      "active proctype Q() { int r; store(y, 1); load(x, r) }\n";
  task = task_of("own_formula", store_buffering + "ltl foo { [] true }\n");
  EXPECT_NE(said(task).find(no_ltl), std::string::npos) << said(task);
  core::Budget budget;
  const auto repairs = drive::repair(*drive::language_of(task.files.front()), task, {}, budget);
  ASSERT_TRUE(repairs);
  EXPECT_NE(repairs->front().summary.find("does not have --property robust"), std::string::npos)
      << repairs->front().summary;
  task = task_of("formula", store_buffering);
  task.ltl.set({"[] (x < 5)"});
  EXPECT_NE(said(task).find(no_ltl), std::string::npos) << said(task);
  task = task_of("never", store_buffering + "never { accept: do :: x == 7 od }\n");
  task.models.set({"sc"});
  EXPECT_NE(said(task).find(no_ltl), std::string::npos) << said(task);
}

// Every run of a program without loops, by the naive machine: is one of them none of sc?
class Runs {
 public:
  explicit Runs(const ir::Program& program) : program_(program) {}
  bool robust() {
    check::Replay start(program_, check::NaiveModel::Tso, check::NaivePort::unbounded);
    core::Trace trace;
    visit(start, trace);
    return !cyclic_;
  }

 private:
  void visit(const check::Replay& at, const core::Trace& told) {
    if (cyclic_) return;
    bool more = false;
    for (std::uint32_t p = 0; p < program_.processes.size(); ++p) {
      std::vector<core::Move> moves;
      for (const unsigned entry : at.port().flushable(p)) moves.push_back({core::Move::Kind::Flush, p, entry});
      const auto control = static_cast<std::uint32_t>(at.port().contents().words[program_.processes[p].control]);
      for (const std::uint32_t e : program_.processes[p].states[control].starts)
        if (!program_.edges[e].ends) moves.push_back({core::Move::Kind::Step, p, program_.edges[e].number});
      for (const core::Move& move : moves) {
        check::Replay next = at;
        core::Trace trace = told;
        if (!next.move(move, trace) || next.step_error()) continue;
        more = true;
        visit(next, trace);
      }
    }
    if (!more) cyclic_ = check::cycle_of(program_, told).has_value();
  }

  const ir::Program& program_;
  bool cyclic_ = false;
};

std::string random_process(std::mt19937& random, unsigned number, unsigned longest) {
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  std::string text = fmt::format("active proctype P{}() {{ byte r;\n", number);
  for (unsigned i = 0, length = longest; i < length; ++i) {
    const char cell = static_cast<char>('a' + pick(2));
    switch (pick(8)) {
      case 0:
      case 1:
      case 2: text += fmt::format("store({}, {});\n", cell, 1 + pick(2)); break;
      case 3:
      case 4:
      case 5: text += fmt::format("load({}, r);\n", cell); break;
      case 6:
        text += fmt::format("atomic {{ {} = {}; r = {} }};\n", cell, 1 + pick(2), static_cast<char>('a' + pick(2)));
        break;
      default: text += pick(2) == 0 ? "sync;\n" : fmt::format("if :: load({}, 0) :: load({}, 1) fi;\n", cell, cell);
    }
  }
  text.resize(text.size() - 2);  // the last `;`
  return text + "\n}\n";
}

TEST(Robust, RandomProgramsAgainstAllRuns) {
  std::mt19937 random(7);
  unsigned robust = 0, not_robust = 0;
  for (unsigned n = 0; n < 400; ++n) {
    std::string text = "byte a, b, c;\n";
    const unsigned processes = n % 12 == 0 ? 3 : 2;
    for (unsigned p = 0; p < processes; ++p) text += random_process(random, p, processes == 2 ? 3 : 2);
    const auto loaded = promela::load_text(text, "random.pml");
    ASSERT_TRUE(loaded) << render(loaded.error()) << text;
    core::Budget budget;
    const auto answer = buffers::find_attack(loaded->program, budget);
    ASSERT_FALSE(answer.stopped);
    const bool expected = Runs(loaded->program).robust();
    EXPECT_EQ(answer.run.empty(), expected) << text;
    (expected ? robust : not_robust)++;
    if (answer.run.empty()) continue;
    const auto replayed = check::replay(loaded->program, "tso", 5, answer.run, {core::Robust{}});
    EXPECT_TRUE(replayed.confirmed) << replayed.why.text << text;
  }
  std::printf("%u robust, %u not\n", robust, not_robust);
  EXPECT_GT(robust, 30U);
  EXPECT_GT(not_robust, 30U);
}

}  // namespace
}  // namespace heddle
