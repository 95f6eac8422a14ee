// What `repair` answers where there is nothing to repair, nothing that helps, or no time; --heuristic and --start; and
// where `check` points to it.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "drive/ladder.h"
#include "drive/repair.h"
#include "support/own_folder.h"
#include "support/places.h"

namespace heddle::drive {
namespace {

// Two processes that each store and then read what the other stores; both read 0 only with buffers.
const char* const store_buffering = R"(byte x;
byte y;
process A { byte r = 2; state a, b, c; init a; trans a -> b { effect x = 1; }, b -> c { effect r = y; }; }
process B { byte r = 2; state a, b, c; init a; trans a -> b { effect y = 1; }, b -> c { effect r = x; }; }
system async;
)";

const char* const c_program = R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
int r;
void *other(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  r = atomic_load_explicit(&y, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  int s = atomic_load_explicit(&x, memory_order_relaxed);
  pthread_join(thread, 0);
  assert(CONDITION);
}
)";

Task task_of(const std::string& name, const std::string& text, const Words& models) {
  const std::filesystem::path file = tests::own_folder() / name;
  std::ofstream(file, std::ios::binary) << text;
  Task task;
  task.files = {file.string()};
  task.models.set(models);
  return task;
}

Repair repaired(const Task& task, const RepairOptions& options = {}, std::uint64_t max_states = UINT64_MAX) {
  core::Budget budget;
  budget.max_states = max_states;
  auto repairs = repair(*language_of(task.files.front()), task, options, budget);
  if (!repairs) throw std::runtime_error(render(repairs.error()));
  return repairs->front();
}

std::string advised(Task task) {
  std::string told;
  task.advise = [&](const std::string& text) { told = text; };
  core::Budget budget;
  const auto verdicts = check(*language_of(task.files.front()), task, budget);
  if (!verdicts) throw std::runtime_error(render(verdicts.error()));
  return told;
}

std::string atomic_file(const std::string& name, const std::vector<RepairPlace>& places) {
  const std::filesystem::path file = tests::own_folder() / name;
  std::ofstream out(file);
  for (const RepairPlace& place : places) out << place.what << "\n";
  return file.string();
}

core::Outcome outcome_with(Task task, const std::vector<RepairPlace>& places) {
  task.atomic_file.set(atomic_file("chosen.txt", places));
  core::Budget budget;
  const auto verdicts = check(*language_of(task.files.front()), task, budget);
  return verdicts ? verdicts->front().outcome : core::Outcome::Unknown;
}

TEST(RepairAnswers, WrongUnderScAlready) {
  Task task = task_of("sb.dve", store_buffering, {"tso"});
  task.reach.set({"A->r == 1 && B->r == 1"});
  const Repair repair = repaired(task);
  EXPECT_EQ(repair.outcome, core::Outcome::Unsafe);
  EXPECT_EQ(repair.summary, "is wrong under sc already: 'A->r == 1 && B->r == 1' is reachable");
  Task c = task_of("sb.c", c_program, {"tso"});
  c.defines.set({"CONDITION=r+s==1"});
  EXPECT_TRUE(repaired(c).summary.starts_with("is wrong under sc already: assertion failed:"));
}

// Races are about happens-before, which orders make, also where memory is sequentially consistent.
// Runs that sc does not have may lead out of a loop that sc cannot leave: a livelock under sc says nothing about tso, and
// one with all changes made nothing about fewer.
TEST(RepairAnswers, LivelocksAreNotMonotone) {
  const std::string text = R"(#include <pthread.h>
#include <stdatomic.h>
#define put(v, k) atomic_store_explicit(&v, k, memory_order_relaxed)
#define get(v) atomic_load_explicit(&v, memory_order_relaxed)
atomic_int x, y, c, d, stop;
void *left(void *u) {
  do {
    put(x, 1);
    if (get(y) == 0) {
      put(c, 1);
      if (get(d)) put(stop, 1);
      put(c, 0);
    }
    put(x, 0);
  } while (!get(stop));
  return u;
}
void *right(void *u) {
  do {
    put(y, 1);
    if (get(x) == 0) {
      put(d, 1);
      if (get(c)) put(stop, 1);
      put(d, 0);
    }
    put(y, 0);
  } while (!get(stop));
  return u;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
}
)";
  Task task = task_of("stops.c", text, {"tso"});
  task.properties.set({"livelock"});
  const Repair tso = repaired(task);
  EXPECT_EQ(tso.outcome, core::Outcome::Safe) << tso.summary;
  EXPECT_EQ(tso.summary, "is safe as it is, up to buffer 5");
  task.models.set({"sc"});
  const Repair sc = repaired(task);
  EXPECT_EQ(sc.outcome, core::Outcome::Unknown) << sc.summary;
  EXPECT_NE(sc.summary.find("whether fewer help is not known"), std::string::npos) << sc.summary;
}

TEST(RepairAnswers, OrdersEndRacesUnderSc) {
  const std::string text = R"(#include <pthread.h>
#include <stdatomic.h>
atomic_int full;
int letter;
void *sender(void *unused) {
  letter = 1;
  atomic_store_explicit(&full, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sender, 0);
  if (atomic_load_explicit(&full, memory_order_relaxed)) letter = 2;
  pthread_join(thread, 0);
}
)";
  for (const char* model : {"sc", "tso", "rc11"}) {
    Task task = task_of("letter.c", text, {model});
    task.properties.set({"race"});
    const Repair repair = repaired(task);
    EXPECT_EQ(repair.outcome, core::Outcome::Safe) << repair.summary;
    EXPECT_EQ(repair.cost, 2U);  // release and acquire
  }
}

// A repair holds as far as the verdict of the repaired program does.
TEST(RepairAnswers, SaysWhatSafetyDependsOn) {
  std::string text = c_program;
  text.replace(text.find("  int s ="), 0,
               "  int seven = 7, some = __VERIFIER_nondet_int();\n"
               "  atomic_compare_exchange_weak(&y, &seven, some);\n");
  Task task = task_of("sb.c", "int __VERIFIER_nondet_int(void);\n" + text, {"tso"});
  task.defines.set({"CONDITION=r||s"});
  task.nondet.set("0:3");
  RepairOptions options;
  options.with = "atomic";
  options.certificate = (tests::own_folder() / "proof.json").string();
  Repair repair = repaired(task, options);
  const auto check = [&](const std::string& beginning) {
    EXPECT_EQ(repair.outcome, core::Outcome::Safe);
    EXPECT_TRUE(repair.summary.starts_with(beginning)) << repair.summary;
    EXPECT_EQ(std::ranges::count(repair.notes, "assumes that " + std::string(core::weak_cas_succeeds)), 1);
  };
  check("safe, up to nondet 0:3 with 1 change of cost 4, and with no cheaper ones");
  options.check_certificate = std::exchange(options.certificate, "");
  repair = repaired(task, options);
  check("the certificate holds: safe, up to nondet 0:3 with 1 change of cost 4");
}

TEST(RepairAnswers, NothingRestoresTheProperty) {
  Task task = task_of("sb.dve", store_buffering, {"tso"});
  task.reach.set({"A.b && x == 0"});  // a fence comes before the store
  RepairOptions options;
  options.with = "fence";
  const Repair repair = repaired(task, options);
  EXPECT_EQ(repair.outcome, core::Outcome::Unsafe);
  EXPECT_EQ(repair.summary, "no fence helps: 'A.b && x == 0' is reachable");
  Task c = task_of("sb.c", c_program, {"rc11"});
  c.defines.set({"CONDITION=r||s"});
  options.with = "atomic";
  options.cost = "store.seq_cst=8";
  EXPECT_EQ(repaired(c, options).cost, 20U);  // all four accesses, two stores and two loads
}

// Where a change may also add violations, a run that all of them leave is no proof that none helps.
TEST(RepairAnswers, NothingFollowsWithoutMonotonicity) {
  Task task = task_of("steps.dve",
                      "byte x;\nbyte y;\nprocess A { state a, b, c; init a; trans a -> b { effect x = 1; }, b -> c { "
                      "effect y = 1; }; }\nsystem async;\n",
                      {"tso"});
  task.ltl.set({"X X A.c"});
  RepairOptions options;
  options.with = "fence";
  const Repair next = repaired(task, options);
  EXPECT_EQ(next.outcome, core::Outcome::Unknown);
  EXPECT_TRUE(next.summary.starts_with("UNKNOWN: a run goes wrong with all changes made: ")) << next.summary;
  // A process that waits at a fence for a store that never arrives is passed over by nobody: the fence makes the run fair.
  Task fair = task_of("sb.dve", store_buffering, {"tso"});
  fair.ltl.set({"F A.b && !F (G (A->r == 0 && B->r == 0))"});
  fair.fair.set(true);
  EXPECT_NE(repaired(fair).summary.find(", and with no fewer"), std::string::npos) << repaired(fair).summary;
  fair.memory_fairness.set(false);
  EXPECT_EQ(repaired(fair).summary.find(", and with no fewer"), std::string::npos) << repaired(fair).summary;
  EXPECT_NE(repaired(fair).summary.find("not known"), std::string::npos) << repaired(fair).summary;
}

// A sync behind the first store is a place where the process is at no label, so it violates the formula; one behind the
// second store does not. That all syncs together violate it does not show that none helps.
TEST(RepairAnswers, WaitingAtASyncIsAtNoLabel) {
  Task task = task_of("labels.pml", R"(byte x, y, z;
active proctype P() {
  store(x, 1);
b: store(z, 1);
  if :: load(y, 0) -> goto cs :: load(y, 1) -> goto fin fi;
cs: skip;
fin: skip
}
active proctype Q() {
  store(y, 1); sync;
  if :: load(x, 0) -> goto cs :: load(x, 1) -> goto fin fi;
cs: skip; (false);
fin: skip
}
)",
                      {"tso"});
  task.properties.set({"assertion"});
  task.ltl.set({"[] !(P@cs && Q@cs)"});
  EXPECT_NE(repaired(task).summary.find("and with no fewer"), std::string::npos) << repaired(task).summary;
  task.ltl.set({"[] !(P@cs && Q@cs) && ((x == 0) W P@b)"});
  const Repair repair = repaired(task);
  EXPECT_EQ(repair.outcome, core::Outcome::Unknown);
  EXPECT_NE(repair.summary.find("whether fewer help is not known"), std::string::npos) << repair.summary;
}

// That a limit ends the search for all cheapest sets does not make the first one unknown.
TEST(RepairAnswers, ASpentBudgetWithAll) {
  constexpr int stores = 16;
  std::string variables, states, steps, reached;
  for (int i = 0; i < stores; ++i) {
    variables += fmt::format("byte x{};\n", i);
    states += fmt::format("s{}, t{}, ", i, i);
    steps += fmt::format("{}s{} -> t{} {{ effect x{} = 1; }}, t{} -> s{} {{}}", i == 0 ? "" : ", ", i, i, i, i, i + 1);
    reached += fmt::format("{}(P.s{} && x{} == 0)", i == 0 ? "" : " || ", i + 1, i);
  }
  Task task = task_of("many.dve",
                      fmt::format("{}process P {{ state {}s{}; init s0; trans {}; }}\nsystem async;\n", variables,
                                  states, stores, steps),
                      {"sb1"});
  task.reach.set({reached});
  RepairOptions options;
  options.with = "both";
  options.all = true;
  core::Budget budget;
#ifdef HEDDLE_SANITIZED
  budget.seconds = 40;  // the first set takes a tenth of that
#else
  budget.seconds = 3;
#endif
  budget.start();
  const auto repairs = repair(*language_of(task.files.front()), task, options, budget);
  ASSERT_TRUE(repairs);
  EXPECT_EQ(repairs->front().outcome, core::Outcome::Unknown);  // there are 2^16 of them
  EXPECT_EQ(repairs->front().cost, std::uint64_t{stores}) << repairs->front().summary;
}

TEST(RepairAnswers, ASpentBudget) {
  Task task;
  task.files = {tests::source_dir() + "/examples/anderson.dve"};
  task.models.set({"sb1"});
  task.ltl.set({"G (P_0.waiting -> F P_0.critical)"});
  task.fair.set(true);
  const Repair whole = repaired(task);
  ASSERT_EQ(whole.outcome, core::Outcome::Safe) << whole.summary;
  EXPECT_EQ(whole.cost, 4U);
  bool met = false;
  for (const std::uint64_t states : {1, 10, 60, 100, 150, 200, 100'000}) {
    const Repair repair = repaired(task, {}, states);
    if (repair.outcome == core::Outcome::Safe) {
      EXPECT_EQ(repair.cost, 4U);
      continue;
    }
    EXPECT_EQ(repair.outcome, core::Outcome::Unknown);
    EXPECT_NE(repair.summary.find("UNKNOWN: limit of " + std::to_string(states)), std::string::npos) << repair.summary;
    EXPECT_LE(repair.lower_bound, 4U);
    if (!repair.cost) continue;
    // The set that is told is safe: as a file for --atomic.
    met = true;
    EXPECT_GE(*repair.cost, 4U);
    EXPECT_EQ(outcome_with(task, repair.places), core::Outcome::Safe) << repair.summary;
  }
  EXPECT_TRUE(met);
}

// The check that comes last need not be the one of the set that is told: with --all other candidates follow it.
TEST(RepairAnswers, BoundsAreThoseOfTheSetsThatAreTold) {
  Task task;
  task.files = {tests::source_dir() + "/examples/anderson.dve"};
  task.models.set({"tso"});
  task.buffer.set(1);
  RepairOptions options;
  options.with = "both";
  for (const bool all : {false, true}) {
    options.all = all;
    const std::string summary = repaired(task, options).summary;
    EXPECT_NE(summary.find("safe, up to buffer 1"), std::string::npos) << summary;
  }
}

// Under sb1 both stores to x have to be atomic, under tso the store behind them does for both; one set for both models is
// what sb1 needs.
TEST(RepairAnswers, OneSetForSeveralModels) {
  const char* const text = R"(byte x; byte y; byte z;
process P { state a, b, c, d; init a; trans
  a -> b { effect x = 1; }, a -> b { effect x = 2; }, b -> c { effect z = 1; }, c -> d { guard y == 0; }; }
process Q { state a, b, c; init a; trans a -> b { effect y = 1; }, b -> c { guard x == 0; }; }
system async;
)";
  Task task = task_of("together.dve", text, {"tso", "sb1"});
  task.reach.set({"P.d and Q.c"});
  RepairOptions options;
  options.together = options.all = true;
  const Repair both = repaired(task, options);
  EXPECT_EQ(both.model, "tso,sb1");
  EXPECT_EQ(both.cost, 3U) << both.summary;
  ASSERT_EQ(both.sets.size(), 1U);
  EXPECT_EQ(both.sets.front(), (Words{"x P.1", "x P.2", "y Q.1"}));
  options.together = false;
  EXPECT_EQ(repaired(task, options).cost, 2U);  // of tso
  options.together = options.heuristic = true;
  options.all = false;
  const Repair heuristic = repaired(task, options);
  for (const char* model : {"tso", "sb1"}) {
    task.models.set({model});
    EXPECT_EQ(outcome_with(task, heuristic.places), core::Outcome::Safe) << model;
  }
}

// Havel, table 4.1: the procedure by hazard intervals finds the smallest four for Peterson. Under tso and pso two are
// enough, and it need not find them.
TEST(RepairHeuristic, IsSafeAndNoSmallerThanTheSmallest) {
  RepairOptions heuristic;
  heuristic.heuristic = true;
  for (const char* name : {"peterson", "anderson"})
    for (const char* model : {"sb1", "tso", "pso"}) {
      Task task;
      task.files = {fmt::format("{}/examples/{}.dve", tests::source_dir(), name)};
      task.models.set({model});
      const Repair found = repaired(task, heuristic), smallest = repaired(task);
      EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
      EXPECT_GE(found.cost, smallest.cost);
      EXPECT_EQ(found.places.size(), found.checks - 1) << "one write for each run";
      EXPECT_EQ(outcome_with(task, found.places), core::Outcome::Safe) << name << " " << model;
      if (std::string_view(name) == "peterson" && std::string_view(model) == "sb1") {
        EXPECT_EQ(found.cost, 4U);
      }
    }
}

// The procedure makes writes atomic, also where the language's own repair would be a sync.
TEST(RepairHeuristic, MakesWritesOfPromelaAtomic) {
  const Task task = task_of("sb.pml", R"(byte x, y;
active proctype A() { byte t; store(x, 1); load(y, t); if :: t == 0 -> in: skip :: else fi }
active proctype B() { byte t; store(y, 1); load(x, t); if :: t == 0 -> in: skip :: else fi }
)",
                            {"tso"});
  Task asked = task;
  asked.properties.set({"assertion"});
  asked.ltl.set({"[] !(A@in && B@in)"});
  RepairOptions options;
  options.heuristic = true;
  const Repair found = repaired(asked, options);
  EXPECT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
  EXPECT_FALSE(found.places.empty());
}

TEST(RepairStart, IsPartOfTheSet) {
  for (const char* model : {"sb1", "tso", "pso"})
    for (const char* given : {"flag P_0.4", "turn P_0.2", "flag P_1.1"}) {
      Task task;
      task.files = {tests::source_dir() + "/examples/peterson.dve"};
      task.models.set({model});
      RepairOptions options;
      options.start = atomic_file("start.txt", {{"", 0, 0, given}});
      const Repair found = repaired(task, options);
      ASSERT_EQ(found.outcome, core::Outcome::Safe) << found.summary;
      EXPECT_TRUE(std::ranges::any_of(found.places, [&](const RepairPlace& p) { return p.what == given; }));
      EXPECT_EQ(outcome_with(task, found.places), core::Outcome::Safe);
      // What is needed beside it is what a model needs that has it already.
      Task strengthened = task;
      strengthened.atomic_file.set(options.start);
      EXPECT_EQ(found.places.size(), 1 + repaired(strengthened).places.size());
      EXPECT_EQ(found.cost, repaired(strengthened).cost);
    }
}

TEST(RepairStart, Mistakes) {
  Task task;
  task.files = {tests::source_dir() + "/examples/peterson.dve"};
  task.models.set({"tso"});
  const auto mistake = [&](const char* given) {
    RepairOptions options;
    options.start = atomic_file("start.txt", {{"", 0, 0, given}});
    core::Budget budget;
    const auto repairs = repair(*language_of(task.files.front()), task, options, budget);
    return repairs ? support::Diagnostic{} : repairs.error();
  };
  EXPECT_EQ(mistake("flag P_0.9").message, "process `P_0` has the transitions 1 to 4");
  EXPECT_EQ(mistake("flag P_0.9").column, 10U);
  EXPECT_EQ(mistake("nosuch P_0.1").message, "there is no variable `nosuch`");
  EXPECT_EQ(mistake("fence P_0.1").message, "has writes or fences that --with does not let be changed");
}

TEST(RepairAnswers, CheckNamesTheRepair) {
  Task task = task_of("sb.dve", store_buffering, {"sc", "tso", "sb1"});
  task.reach.set({"A->r == 0 && B->r == 0"});
  task.said = {{"--model", "sc,tso,sb1"}, {"--reach", "A->r == 0 && B->r == 0"}, {"--por", "off"}, {"--fair", ""}};
  EXPECT_EQ(advised(task),
            "`heddle repair " + task.files.front() +
                " --model tso,sb1 --reach 'A->r == 0 && B->r == 0' --fair` finds the smallest change that "
                "makes it safe");
  // What is asked there is what was asked here.
  Task named = task;
  named.models.set({"tso"});
  EXPECT_EQ(repaired(named).outcome, core::Outcome::Safe);
  task.models.set({"tso"});  // sc is not known
  EXPECT_EQ(advised(task), "");
  task.models.set({"sc", "tso"});
  task.reach.set({"A->r == 1 && B->r == 1"});  // wrong under sc already
  EXPECT_EQ(advised(task), "");
  task.reach.set({"A->r == 3"});  // right under both
  EXPECT_EQ(advised(task), "");
  Task c = task_of("sb.c", c_program, {"sc", "rc11"});
  c.defines.set({"CONDITION=r||s"});
  c.said = {{"--define", "CONDITION=r||s"}, {"--spurious-cas=", "off"}};
  EXPECT_EQ(advised(c),
            "`heddle repair " + c.files.front() +
                " --model rc11 --define 'CONDITION=r||s' --spurious-cas=off` finds the smallest change that "
                "makes it safe");
  c.models.set({"sc", "tso"});
  c.ltl.set({"G (x == 0 || x == 2)"});
  EXPECT_EQ(advised(c), "");
}

}  // namespace
}  // namespace heddle::drive
