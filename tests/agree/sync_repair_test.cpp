// Smallest sets of syncs and locked writes for Promela and Memorax programs under buffers without a bound: ground truth
// of exact searches, the constraints as the proof that nothing is smaller, and the repaired text checked again.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <functional>
#include <set>

#include "drive/ladder.h"
#include "drive/repair.h"
#include "support/own_folder.h"
#include "support/protocols.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using drive::Words;

std::string written(const std::string& name, const std::string& text) {
  const fs::path path = tests::own_folder() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

drive::Task task_of(const std::string& file, const std::string& model, const std::string& bad) {
  drive::Task task;
  task.files = {file};
  task.models.set({model});
  if (!bad.empty()) task.reach.set({bad});
  task.properties.set({"assertion"});
  return task;
}

drive::Repair repaired(const drive::Task& task, const std::string& with = "") {
  core::Budget budget;
  drive::RepairOptions options;
  options.all = true;
  options.with = with;
  const auto result = drive::repair(*drive::language_of(task.files.front()), task, options, budget);
  if (!result) throw std::runtime_error(render(result.error()));
  return result->front();
}

core::Verdict checked(const drive::Task& task) {
  core::Budget budget;
  const auto verdicts = drive::check(*drive::language_of(task.files.front()), task, budget);
  if (!verdicts) throw std::runtime_error(render(verdicts.error()));
  return verdicts->front();
}

// Every set of this size that has a member of each constraint.
std::set<std::set<std::string>> hitting(const std::vector<Words>& constraints, std::size_t size) {
  std::set<std::string> members;
  for (const Words& c : constraints) members.insert(c.begin(), c.end());
  const std::vector<std::string> all(members.begin(), members.end());
  std::set<std::set<std::string>> found;
  for (std::uint64_t bits = 0; bits < std::uint64_t{1} << all.size(); ++bits) {
    if (static_cast<std::size_t>(std::popcount(bits)) != size) continue;
    std::set<std::string> chosen;
    for (std::size_t i = 0; i < all.size(); ++i)
      if ((bits >> i & 1) != 0) chosen.insert(all[i]);
    if (std::ranges::all_of(constraints, [&](const Words& c) {
          return std::ranges::any_of(c, [&](const std::string& m) { return chosen.contains(m); });
        }))
      found.insert(chosen);
  }
  return found;
}

// So many members, so many sets; the constraints leave exactly these sets, and none that is smaller.
void expect_smallest(const drive::Repair& repair, std::size_t minimum, std::size_t sets) {
  ASSERT_EQ(repair.outcome, core::Outcome::Safe) << repair.summary;
  EXPECT_EQ(repair.summary.find("up to"), std::string::npos) << repair.summary;
  EXPECT_EQ(repair.summary.find("not known"), std::string::npos) << repair.summary;
  EXPECT_EQ(repair.sets.size(), sets);
  std::set<std::set<std::string>> told;
  for (const Words& set : repair.sets) {
    EXPECT_EQ(set.size(), minimum);
    told.emplace(set.begin(), set.end());
  }
  EXPECT_EQ(hitting(repair.constraints, minimum), told);
  if (minimum > 0) {
    EXPECT_TRUE(hitting(repair.constraints, minimum - 1).empty());
  }
}

// The repaired text is safe without a bound, and unsafe without any one of the words that were added.
void expect_needed(const drive::Repair& repair, drive::Task task, const std::string& added, std::size_t minimum) {
  ASSERT_EQ(repair.no_text, "");
  const fs::path file = task.files.front();
  task.files = {written("repaired" + file.extension().string(), repair.text)};
  const core::Verdict whole = checked(task);
  EXPECT_EQ(whole.outcome, core::Outcome::Safe) << repair.text << whole.violation << whole.reason.text;
  EXPECT_TRUE(whole.bounds.empty()) << repair.text;
  std::size_t count = 0;
  for (std::size_t at = 0; (at = repair.text.find(added, at)) != std::string::npos; at += added.size()) {
    ++count;
    std::string less = repair.text;
    less.erase(at, added.size());
    task.files = {written("less" + file.extension().string(), less)};
    EXPECT_EQ(checked(task).outcome, core::Outcome::Unsafe) << less;
  }
  EXPECT_EQ(count, minimum);
}

class SyncRepair : public testing::TestWithParam<tests::FenceRow> {};

TEST_P(SyncRepair, SmallestSetsOfSyncs) {
  const tests::FenceRow& row = GetParam();
  const tests::Protocol bare = row.make(0);
  const drive::Task task = task_of(written(std::string(row.name) + ".pml", bare.text), row.model, bare.bad);
  const drive::Repair repair = repaired(task);
  expect_smallest(repair, row.minimum, row.sets);
  if (row.minimum > 0) {
    EXPECT_NE(repair.summary.find(fmt::format("of {} possible", row.stores)), std::string::npos) << repair.summary;
  }
  expect_needed(repair, task, "; sync", row.minimum);
}

INSTANTIATE_TEST_SUITE_P(Protocols, SyncRepair, testing::ValuesIn(tests::fence_rows),
                         [](const auto& parameter) { return std::string(parameter.param.name); });

// Memorax programs of two processes, written out one by one: @ is the own number, % the other's.
std::string twice(const std::string& head, const std::string& process) {
  std::string text = head;
  for (const char me : {'0', '1'}) {
    std::string one = process;
    for (char& c : one)
      if (c == '@') c = me;
      else if (c == '%') c = me == '0' ? '1' : '0';
    text += "process\n" + one;
  }
  return text;
}

const std::string rmm_dekker = twice("forbidden CS CS\ndata turn = 0 : [0:1] f0 = 0 : [0:1] f1 = 0 : [0:1]\n", R"(
registers $f = 0 : [0:1]  $t = 0 : [0:1]
text
  top: write: f@ := 1;
  test: read: $f := f%;
  if $f = 1 then {
    read: $t := turn;
    if $t = % then { write: f@ := 0; read: turn = @; goto top };
    goto test
  };
  CS: write: turn := %;
  write: f@ := 0;
  $f := 0; $t := 0;
  goto top
)");

const std::string rmm_peterson = twice("forbidden CS CS\ndata turn = 0 : [0:1] f0 = 0 : [0:1] f1 = 0 : [0:1]\n", R"(
text
  top: write: f@ := 1;
  write: turn := %;
  either { read: f% = 0 or read: turn = @ };
  CS: write: f@ := 0;
  goto top
)");

const char* const rmm_burns = R"(
forbidden CS CS
data f0 = 0 : [0:1] f1 = 0 : [0:1]
process
text
  top: write: f0 := 1;
  read: f1 = 0;
  CS: write: f0 := 0;
  goto top
process
text
  top: read: f0 = 0;
  write: f1 := 1;
  either { read: f0 = 0; CS: write: f1 := 0 or read: f0 = 1; write: f1 := 0 };
  goto top
)";

const std::string rmm_barrier = twice("forbidden ONE TWO; TWO ONE\ndata f0 = 0 : [0:1] f1 = 0 : [0:1]\n", R"(
text
  top: write: f@ := 1;
  read: f% = 1;
  ONE: write: f@ := 0;
  read: f% = 0;
  TWO: nop;
  goto top
)");

// ground-truth/fences.csv, rows `memorax-run`. (Under pso Memorax's locked write orders less than ours; a fence behind
// a write is what both mean.)
TEST(RmmRepair, SmallestSetsOfLockedWritesAndFences) {
  const struct {
    const char* name;
    std::string text;
    unsigned tso, pso;
  } programs[] = {{"dekker", rmm_dekker, 2, 2},
                  {"peterson", rmm_peterson, 2, 4},
                  {"burns", rmm_burns, 2, 2},
                  {"barrier", rmm_barrier, 0, 0}};
  for (const auto& program : programs) {
    SCOPED_TRACE(program.name);
    const std::string file = written(std::string(program.name) + ".rmm", program.text);
    const drive::Task tso = task_of(file, "tso", ""), pso = task_of(file, "pso", "");
    const drive::Repair locked = repaired(tso);
    expect_smallest(locked, program.tso, 1);
    expect_needed(locked, tso, "locked ", program.tso);
    expect_smallest(repaired(tso, "fence"), program.tso, 1);
    const drive::Repair fenced = repaired(pso, "fence");
    expect_smallest(fenced, program.pso, 1);
    expect_needed(fenced, pso, "; fence", program.pso);
  }
}

// A write in a macro is one place, in its body.
TEST(RmmRepair, MacrosAreRepairedInTheirBody) {
  const std::string file = written("macro.rmm", twice("forbidden CS CS\ndata f0 = 0 : [0:1] f1 = 0 : [0:1]\n"
                                                      "macro SET(x) write: x := 1 endmacro\n",
                                                      "text\n  top: SET(f@);\n  read: f% = 0;\n"
                                                      "  CS: write: f@ := 0;\n  goto top\n"));
  const drive::Task task = task_of(file, "tso", "");
  const drive::Repair fenced = repaired(task, "fence");
  expect_smallest(fenced, 1, 1);
  expect_needed(fenced, task, "; fence", 1);
  EXPECT_NE(fenced.text.find("macro SET(x) { write: x := 1; fence } endmacro"), std::string::npos) << fenced.text;
}

// One place of the text is one place of the repair, however many processes run it.
TEST(SyncRepairTexts, ProcessesOfOneTextAreRepairedTogether) {
  const std::string file = written("together.pml",
                                   "bit f[2];\n"
                                   "active [2] proctype P() {\n"
                                   "top: store(f[_pid], 1);  /* here */\n"
                                   "  if :: load(f[1 - _pid], 0) -> goto cs :: load(f[1 - _pid], 1) -> goto out fi;\n"
                                   "cs: skip;\n"
                                   "out: f[_pid] = 0; goto top\n"
                                   "}\n");
  const drive::Task task = task_of(file, "tso", "P[0]@cs && P[1]@cs");
  const drive::Repair repair = repaired(task);
  expect_smallest(repair, 1, 1);
  expect_needed(repair, task, "; sync", 1);
  EXPECT_NE(repair.text.find("store(f[_pid], 1); sync;  /* here */"), std::string::npos) << repair.text;
  const drive::Repair locked = repaired(task, "atomic");
  expect_smallest(locked, 1, 1);
  EXPECT_NE(locked.text.find("atomic { store(f[_pid], 1) };"), std::string::npos) << locked.text;
}

// A condition about where a process is not: a sync may fulfil it, and the answer says so.
TEST(SyncRepairTexts, ConditionsAboutAbsenceAreNotMonotone) {
  const std::string file = written("absence.pml",
                                   "bit x, y;\n"
                                   "active proctype P() { a: store(x, 1); b: load(y, 0); c: skip; goto c }\n"
                                   "active proctype Q() { a: store(y, 1); b: load(x, 0); c: skip; goto c }\n");
  drive::Task task = task_of(file, "tso", "P@c && Q@c && !P@a");
  const drive::Repair repair = repaired(task);
  EXPECT_EQ(repair.outcome, core::Outcome::Safe) << repair.summary;
  EXPECT_NE(repair.summary.find("whether fewer are enough is not known"), std::string::npos) << repair.summary;
}

// A statement that a macro makes cannot be found in the text: places are told, nothing is written.
TEST(SyncRepairTexts, MacrosAreNotWritten) {
  const std::string file = written("macro.pml",
                                   "#define SET(v) store(v, 1)\n"
                                   "bit x, y;\n"
                                   "active proctype P() { SET(x); load(y, 0); c: skip; goto c }\n"
                                   "active proctype Q() { SET(y); load(x, 0); c: skip; goto c }\n");
  const drive::Repair repair = repaired(task_of(file, "tso", "P@c && Q@c"));
  EXPECT_EQ(repair.outcome, core::Outcome::Safe) << repair.summary;
  EXPECT_EQ(repair.places.size(), 2U);
  EXPECT_NE(repair.no_text, "");
}

// Where a macro moves the columns of a line, which of two like statements is meant is not known; an only one is.
TEST(SyncRepairTexts, MacrosMoveColumns) {
  const auto text = [](const std::string& first) {
    return "#define NOTHING_AT_ALL skip\nbit x, y;\n"
           "active proctype P() { NOTHING_AT_ALL; " +
           first + "store(x, 1); load(y, 0); c: skip; goto c }\n" +
           "active proctype Q() { store(y, 1); sync; load(x, 0); c: skip; goto c }\n";
  };
  const drive::Task task = task_of(written("moved.pml", text("")), "tso", "P@c && Q@c");
  const drive::Repair moved = repaired(task);
  EXPECT_EQ(moved.no_text, "");
  EXPECT_NE(moved.text.find("store(x, 1); sync; load(y, 0)"), std::string::npos) << moved.text;
  const drive::Repair either =
      repaired(task_of(written("either.pml", text("store(x, 1); store(x, 0); sync; ")), "tso", "P@c && Q@c"));
  EXPECT_EQ(either.outcome, core::Outcome::Safe) << either.summary;
  EXPECT_NE(either.no_text, "") << either.text;
  ASSERT_EQ(either.places.size(), 1U);
  EXPECT_NE(either.places.front().column, 0U);
}

// What an inline makes of its argument stands nowhere in the text: a text that cannot be read is not written.
TEST(SyncRepairTexts, TheTextIsReadAgain) {
  const std::string file = written("inline.pml",
                                   "int x, y;\n"
                                   "inline up(v) { v = 1 }\n"
                                   "active proctype P() { x = 1; if :: y == 0 -> cs: skip :: else fi }\n"
                                   "active proctype Q() { up(y); if :: x == 0 -> cs: skip :: else fi }\n");
  const drive::Repair repair = repaired(task_of(file, "tso", "P@cs && Q@cs"));
  EXPECT_EQ(repair.outcome, core::Outcome::Safe) << repair.summary;
  EXPECT_NE(repair.no_text, "") << repair.text;
  // What it includes is read from its own folder, however that is named.
  written("part.h", "bit x, y;\n");
  const fs::path file_of_parts = written("whole.pml",
                                         "#include \"part.h\"\n"
                                         "active proctype P() { store(x, 1); load(y, 0); c: skip; goto c }\n"
                                         "active proctype Q() { store(y, 1); load(x, 0); c: skip; goto c }\n");
  const fs::path before = fs::current_path();
  fs::current_path(file_of_parts.parent_path());
  for (const std::string& name : {file_of_parts.string(), file_of_parts.filename().string()}) {
    const drive::Repair whole = repaired(task_of(name, "tso", "P@c && Q@c"));
    EXPECT_EQ(whole.no_text, "") << name;
    EXPECT_TRUE(whole.notes.empty()) << name;
  }
  fs::current_path(before);
}

}  // namespace
}  // namespace heddle
