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
#include "drive/repair.h"
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
  void (*further)(drive::Task&) = nullptr;  // settings
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
constexpr const char* weak_cub = R"(
weak var X : bool
array Done[proc] : bool
array Lost[proc] : bool
init (p) { Done[p] = False && Lost[p] = False && X = False }
unsafe (p) { Lost[p] = True }
transition write ([p]) requires { Done[p] = False } { X := True; Done[p] := True }
transition look ([p]) requires { Done[p] = True && X = False } { Lost[p] := True }
)";
constexpr const char* unsafe_cub = R"(
type place = Rest | Crit
array At[proc] : place
init (p) { At[p] = Rest }
unsafe (p q) { At[p] = Crit && At[q] = Crit }
transition enter (p) requires { At[p] = Rest } { At[p] := Crit }
)";
// Decided under sc, since all that races is seq_cst.
constexpr const char* ordered_c = R"(
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x;
static void *one(void *a) { atomic_store(&x, 1); return a; }
int main(void) {
  pthread_t t;
  pthread_create(&t, 0, one, 0);
  (void)atomic_load(&x);
  pthread_join(t, 0);
  return 0;
}
)";
constexpr const char* robust_rmm = R"(
forbidden CS CS
data x = 0 : [0:1]
process(2)
registers $f = 0 : [0:1]
text
  L0: locked write: x := 1;
  read: $f := x;
  if $f = 0 then { goto CS };
  goto END;
  CS: nop;
  END: nop
)";
constexpr const char* litmus = R"(X86 SB
{ }
 P0 | P1 ;
 MOV [x],$1 | MOV [y],$1 ;
 MOV EAX,[y] | MOV EAX,[x] ;
~exists (0:EAX=2 /\ 1:EAX=2)
)";

constexpr const char* litmus_c = R"(C SB
{ }
P0 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(x, 1, memory_order_seq_cst);
  int r = atomic_load_explicit(y, memory_order_seq_cst);
}
P1 (atomic_int* x, atomic_int* y) {
  atomic_store_explicit(y, 1, memory_order_seq_cst);
  int r = atomic_load_explicit(x, memory_order_seq_cst);
}
~exists (0:r=0 /\ 1:r=0)
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
    {"graph", "litmus", "a.litmus", litmus, "tso", {}, "graph"},
    {"graph", "races of litmus", "a.litmus", litmus_c, "rc11", {}, "graph"},
    {"states", "litmus", "a.litmus", litmus, "tso", {}, "explicit"},
    {"states", "cost", "a.dve", safe_dve, "tso", {}, "", [](drive::Task& t) { t.order.set("cost"); }},
    {"states", "depth first", "a.dve", safe_dve, "tso", {}, "", [](drive::Task& t) { t.order.set("dfs"); }},
    {"states", "workers", "a.dve", safe_dve, "tso", {}, "", [](drive::Task& t) { t.workers.set(2); }},
    {"states", "drf", "a.c", ordered_c, "rc11", {}, "drf"},
    {"buffers", "DVE", "a.dve", safe_dve, "tso", {}, "buffers"},
    {"buffers", "DVE under pso", "a.dve", safe_dve, "pso", {}, "buffers"},
    {"buffers",
     "linden-wolper",
     "a.dve",
     safe_dve,
     "tso",
     {},
     "buffers",
     [](drive::Task& t) { t.order.set("linden-wolper"); }},
    {"buffers", "robustness", "a.rmm", robust_rmm, "tso", {"robust"}, "buffers"},
    {"buffers", "C", "a.c", ordered_c, "tso", {}, "buffers"},
    {"buffers", "instance", "a.cub", weak_cub, "tso", {}, "buffers"},
    {"cycles", "formula", "a.dve", safe_dve, "tso", {}, "", [](drive::Task& t) { t.ltl.set({"G (x < 2)"}); }},
    {"cycles",
     "formula of a lasso",
     "a.dve",
     safe_dve,
     "tso",
     {},
     "",
     [](drive::Task& t) { t.ltl.set({"F G (x == 1)"}); }},
    {"cycles",
     "product alone",
     "a.dve",
     safe_dve,
     "tso",
     {},
     "",
     [](drive::Task& t) {
       t.ltl.set({"F G (x == 1)"});
       t.por.set(false);
     }},
    {"cycles", "formula of C", "a.c", ordered_c, "tso", {}, "", [](drive::Task& t) { t.ltl.set({"F G (x == 1)"}); }},
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
  if (run.further != nullptr) run.further(task);
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

// What a search leaves out is no reason to call a change enough, or a program safe as it is.
TEST(Evidence, NothingIsRepairedByWhatIsLeftOut) {
  const std::string examples = tests::source_dir() + "/examples/";
  struct Case {
    const char* places;  // of the engine that says SAFE
    const char *name, *file, *model;
    std::vector<std::string> defines = {};
    const char* engine = "";
  };
  const std::vector<Case> cases{
      {"states", "models", "peterson.dve", "tso"},
      {"states", "safe as it is", "peterson.dve", "sc"},
      {"cubes", "arrays", "naive_mutex_unfenced.cub", "tso"},
      {"graph", "graphs", "spinlock.c", "rc11", {"UNLOCK=relaxed"}, "graph"},
      {"states", "states of threads", "spinlock.c", "pso", {"UNLOCK=relaxed"}, "explicit"},
  };
  for (const Case& c : cases) {
    const auto answer = [&](core::DropProbe& probe) {
      drive::Task task;
      task.files = {examples + c.file};
      task.models.set({c.model});
      if (*c.engine != '\0') task.engine.set(c.engine);
      if (!c.defines.empty()) task.defines.set(c.defines);
      core::Budget budget;
      budget.probe = &probe;
      const auto repairs = drive::repair(*drive::language_of(c.file), task, {}, budget);
      EXPECT_TRUE(repairs) << c.name << (repairs ? "" : repairs.error().message);
      return repairs ? repairs->front().outcome : core::Outcome::Unknown;
    };
    core::DropProbe quiet;
    EXPECT_EQ(answer(quiet), core::Outcome::Safe) << c.name;
    EXPECT_NE(quiet.asked.load(), 0U) << c.name;
    for (const core::DropRow& row : core::drop_places()) {
      // A violation that is not believed is no reason why something would be safe.
      if (!quiet.was_asked(row.place) || !row.name.starts_with(c.places) || row.place == DropPlace::GraphViolation ||
          row.place == DropPlace::CubeRun)
        continue;
      core::DropProbe probe;
      probe.makes = row.place;
      EXPECT_NE(answer(probe), core::Outcome::Safe) << c.name << ": " << row.name;
    }
  }
}

}  // namespace
}  // namespace heddle
