// SAFE is constructed from evidence: no other file makes it, a gap in the evidence is UNKNOWN by name, and whatever an
// engine can leave out is made to happen once, at every place where it can, through the same functions as the
// command line.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include "core/evidence.h"
#include "drive/ladder.h"
#include "drive/litmus.h"
#include "support/places.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using core::DropPlace;

std::string text_of(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST(Evidence, SafeNeedsAllOfIt) {
  core::Drops none, some;
  EXPECT_TRUE(some.at(DropPlace::GraphRequest, true, "poems"));
  const auto reason = [](const core::Evidence& e) {
    core::Finding finding;
    std::visit([&](auto&& what) { finding.what = what; }, core::conclude(e));
    core::Verdict v;
    v.outcome = core::Outcome::Unsafe;
    core::pronounce(v, finding);
    return v.outcome == core::Outcome::Safe ? "SAFE" : v.outcome == core::Outcome::Unknown ? v.reason.text : "UNSAFE";
  };
  EXPECT_EQ(reason({.drops = &none, .ended = true, .seen = 1}), "SAFE");
  EXPECT_EQ(reason({.drops = &some, .ended = true, .seen = 1}), "execution graphs cannot express poems");
  EXPECT_EQ(
      reason({.drops = &none, .stopped = core::Reason{core::Reason::Kind::Interrupted, "interrupted"}, .seen = 1}),
      "interrupted");
  EXPECT_TRUE(reason({.drops = &none, .seen = 1}).starts_with("internal error"));
  EXPECT_TRUE(reason({.drops = &none, .ended = true}).starts_with("internal error"));
}

TEST(Evidence, NoOtherFileMakesSafe) {
  const std::regex makes(R"((=|\{|\(|,|\?|return)\s*(core::)?Outcome::Safe\b)");
  const std::regex assigns(R"(outcome\s*=[^=;]*\s(core::)?Outcome::Safe\b)");
  for (const auto& entry : fs::recursive_directory_iterator(tests::source_dir() + "/src")) {
    const std::string extension = entry.path().extension();
    if ((extension != ".cpp" && extension != ".h") || entry.path().stem() == "evidence") continue;
    std::istringstream lines(text_of(entry.path()));
    for (std::string line; std::getline(lines, line);)
      EXPECT_FALSE(std::regex_search(line, assigns)) << entry.path() << ": " << line;
  }
  EXPECT_TRUE(std::regex_search(text_of(tests::source_dir() + "/src/core/evidence.cpp"), makes));
}

struct Scenario {
  const char* engine;  // of the table's names, before the colon
  const char* name;
  const char* file;  // its name, for the language
  const char* text;
  const char* model;
  std::vector<std::string> properties = {};
  const char* asked_engine = "";
};

constexpr const char* peaceful_c = R"(
int main(void) { volatile int x = 0; for (int i = 0; i < 3; i++) x = x + 1; return x == 3 ? 0 : 1; }
)";
constexpr const char* threads_c = R"(
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int x, y;
int *volatile shared;
static void *one(void *a) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  *shared = atomic_load_explicit(&y, memory_order_relaxed);
  return a;
}
int main(void) {
  pthread_t t;
  shared = malloc(sizeof(int));
  pthread_create(&t, 0, one, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  free(shared);
  return 0;
}
)";
// Accesses of two sizes: only then are the axioms asked; else the order is kept with the graph.
constexpr const char* lifetime_c = R"(
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
atomic_int done;
union { volatile long whole; volatile int part[2]; } *shared;
static void *one(void *a) {
  while (!atomic_load_explicit(&done, memory_order_relaxed)) continue;
  long r = shared->whole;
  (void)r;
  free(shared);
  return a;
}
int main(void) {
  pthread_t t;
  shared = calloc(1, sizeof *shared);
  pthread_create(&t, 0, one, 0);
  shared->part[0] = 1;
  atomic_store_explicit(&done, 1, memory_order_relaxed);
  pthread_join(t, 0);
  return 0;
}
)";
constexpr const char* pieces_c = R"(
#include <pthread.h>
#include <string.h>
union { volatile long whole; volatile int part[2]; } x, y;
static void *one(void *a) { x.whole = 1; long r = y.part[0]; (void)r; return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  y.whole = 1;
  long r = x.part[0];
  (void)r;
  pthread_join(t, 0);
  return 0;
}
)";
constexpr const char* steps_c = R"(
#include <pthread.h>
#include <stdatomic.h>
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
atomic_int x, y, z;
static void *one(void *a) {
  __VERIFIER_atomic_begin();
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  __VERIFIER_atomic_end();
  return a;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  (void)atomic_load_explicit(&y, memory_order_relaxed);
  (void)atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(t, 0);
  return 0;
}
)";
constexpr const char* failing_c = "#include <assert.h>\nint main(void) { volatile int x = 0; assert(x == 1); }\n";
constexpr const char* safe_dve = R"(
byte x;
process P { state a, b; init a; trans a -> b { effect x = 1; }; }
system async;
)";
constexpr const char* section_pml = R"(
byte x;
active proctype P() { atomic { do :: x < 2 -> x++ :: else -> break od }; skip }
ltl f { <> (x == 2) }
)";
constexpr const char* safe_cub = R"(
type place = Rest | Crit
var Lock : bool
array At[proc] : place
init (p) { At[p] = Rest && Lock = False }
unsafe (p q) { At[p] = Crit && At[q] = Crit }
transition enter (p) requires { At[p] = Rest && Lock = False } { At[p] := Crit; Lock := True }
transition leave (p) requires { At[p] = Crit } { At[p] := Rest; Lock := False }
)";
constexpr const char* unsafe_cub = R"(
type place = Rest | Crit
array At[proc] : place
init (p) { At[p] = Rest }
unsafe (p q) { At[p] = Crit && At[q] = Crit }
transition enter (p) requires { At[p] = Rest } { At[p] := Crit }
)";
constexpr const char* litmus = R"(X86 SB
{ }
 P0 | P1 ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y] | MOV EAX,[x] ;
~exists (0:EAX=2 /\ 1:EAX=2)
)";

// Every engine, by the languages that go through it; every place of the table is met by one of these.
const std::vector<Scenario> scenarios{
    {"graph", "one thread", "a.c", peaceful_c, "rc11", {}, "graph"},
    {"graph", "load buffering", "a.c", threads_c, "armv8", {}, "graph"},
    {"graph", "addresses", "a.c", threads_c, "rmo", {}, "graph"},
    {"graph", "lifetime", "a.c", lifetime_c, "power", {}, "graph"},
    {"graph", "cut accesses", "a.c", pieces_c, "tso", {}, "graph"},
    {"graph", "atomic steps", "a.c", steps_c, "rc11", {}, "graph"},
    {"graph", "robustness", "a.c", threads_c, "tso", {"robust"}, "graph"},
    {"graph", "a violation", "a.c", failing_c, "sc", {}, "graph"},
    {"states", "C", "a.c", threads_c, "sc", {}, "explicit"},
    {"states", "DVE", "a.dve", safe_dve, "tso"},
    {"states", "instance", "a.cub", safe_cub, "tso"},
    {"cycles", "livelock", "a.c", peaceful_c, "sc", {"livelock"}, "explicit"},
    {"cycles", "atomic section", "a.pml", section_pml, "sc", {"assertion"}},
    {"cubes", "safe", "a.cub", safe_cub, "tso"},
    {"cubes", "unsafe", "a.cub", unsafe_cub, "tso"},
    {"candidates", "litmus", "a.litmus", litmus, "tso"},
};

std::vector<core::Verdict> check(const Scenario& run, const fs::path& folder, core::DropProbe& probe) {
  const fs::path file = folder / run.file;
  std::ofstream(file) << run.text;
  drive::Task task;
  task.files = {file.string()};
  task.models.set({run.model});
  if (*run.asked_engine != '\0') task.engine.set(run.asked_engine);
  task.properties = run.properties;
  if (std::string(run.name) == "instance") task.procs.set(2);
  core::Budget budget;
  budget.probe = &probe;
  const drive::Language& language = *drive::language_of(run.file);
  if (language.load != nullptr) {
    auto verdicts = drive::check(language, task, budget);
    EXPECT_TRUE(verdicts) << (verdicts ? "" : verdicts.error().message);
    return verdicts ? *verdicts : std::vector<core::Verdict>{};
  }
  const auto tests = drive::run_litmus(task, false, budget, [](const drive::LitmusAnswer&) {});
  EXPECT_TRUE(tests);
  return tests ? tests->answers.front().verdicts : std::vector<core::Verdict>{};
}

TEST(Evidence, WhateverIsLeftOutIsUnknownByName) {
  const fs::path folder = fs::path(testing::TempDir()) / ("heddle_evidence_" + std::to_string(getpid()));
  fs::create_directories(folder);
  std::uint64_t met = 0;
  for (const Scenario& run : scenarios) {
    // What does this run ask the ledger, left alone?
    core::DropProbe quiet;
    const auto decided = check(run, folder, quiet);
    ASSERT_EQ(decided.size(), 1U) << run.name;
    EXPECT_NE(decided[0].outcome, core::Outcome::Unknown) << run.name << ": " << decided[0].reason.text;
    EXPECT_NE(quiet.asked.load(), 0U) << run.name << " asks the ledger nothing";
    for (const core::DropRow& row : core::drop_places()) {
      if (!quiet.was_asked(row.place)) continue;
      met |= std::uint64_t{1} << static_cast<unsigned>(row.place);
      core::DropProbe probe;
      probe.makes = row.place;
      const auto verdicts = check(run, folder, probe);
      ASSERT_EQ(verdicts.size(), 1U);
      // What was found all the same has been replayed; SAFE it may not be.
      if (verdicts[0].outcome == core::Outcome::Unsafe && row.place != DropPlace::GraphViolation) continue;
      EXPECT_EQ(verdicts[0].outcome, core::Outcome::Unknown) << run.engine << ", " << run.name << ": " << row.name;
      std::string words(row.reason.substr(0, row.reason.find_first_of("{(")));
      if (words.empty() && row.place != DropPlace::CubeRun && row.place != DropPlace::CubeWrites) words = row.detail;
      EXPECT_NE(verdicts[0].reason.text.find(words), std::string::npos) << row.name << ": " << verdicts[0].reason.text;
      EXPECT_FALSE(verdicts[0].reason.text.empty()) << row.name;
      EXPECT_NE(verdicts[0].reason.kind, core::Reason::Kind::Internal) << row.name << ": " << verdicts[0].reason.text;
    }
  }
  for (const core::DropRow& row : core::drop_places())
    EXPECT_TRUE((met >> static_cast<unsigned>(row.place)) & 1) << "no run asks about: " << row.name;
  fs::remove_all(folder);
}

}  // namespace
}  // namespace heddle
