// The nine cases of Conchon, Declerck and Zaïdi, table 1, in our own words (examples/), and what tells the models
// apart.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>

#include "drive/explicit_engine.h"
#include "drive/saved.h"
#include "report/json.h"
#include "support/cubicle.h"

namespace heddle {
namespace {

struct Case {
  const char* file;
  const char* tso;
  unsigned arrays, weak_scalars, weak_arrays, transitions;  // as table 1 counts them
};

const Case table_1[] = {
    {"naive_mutex_unfenced", "unsafe", 1, 0, 1, 4},
    {"naive_mutex", "safe", 1, 0, 1, 4},
    {"lamport_fast_unfenced", "unsafe", 1, 4, 0, 8},
    {"lamport_fast", "safe", 1, 4, 0, 8},
    {"spinlock", "safe", 1, 1, 0, 6},
    {"sense_barrier", "safe", 1, 0, 1, 4},
    {"arbiter_v1", "safe", 2, 1, 1, 7},
    {"arbiter_v2", "safe", 2, 0, 2, 8},
    {"two_phase_commit", "safe", 1, 1, 1, 5},
};

using test::example;

TEST(CubicleExamples, table_1) {
  for (const Case& c : table_1) {
    const auto system = example(c.file);
    ASSERT_TRUE(system) << support::render(system.error());
    unsigned arrays = 0, weak_scalars = 0, weak_arrays = 0;
    for (const cubicle::Symbol& s : system->symbols) {
      if (s.weak) ++(s.arity == 0 ? weak_scalars : weak_arrays);
      else if (!s.constant) ++arrays;
    }
    EXPECT_EQ(arrays, c.arrays) << c.file;
    EXPECT_EQ(weak_scalars, c.weak_scalars) << c.file;
    EXPECT_EQ(weak_arrays, c.weak_arrays) << c.file;
    EXPECT_EQ(system->transitions.size(), c.transitions) << c.file;
    const core::Verdict tso = test::decide(*system, "tso");
    EXPECT_EQ(test::name(tso), c.tso) << c.file;
    EXPECT_EQ(tso.trace.has_value(), std::string(c.tso) == "unsafe") << c.file;
    EXPECT_EQ(test::name(test::decide(*system, "sc")), "safe") << c.file;
  }
}

// Workers change the order of work, not the answer; guessed invariants change the work, not the answer.
TEST(CubicleExamples, workers_and_guesses_do_not_change_verdicts) {
  for (const Case& c : table_1) {
    const auto system = example(c.file);
    ASSERT_TRUE(system);
    drive::CubesOptions workers;
    workers.workers = 3;
    EXPECT_EQ(test::name(test::decide(*system, "tso", workers)), c.tso) << c.file;
    drive::CubesOptions guesses;
    guesses.brab = 2;
    EXPECT_EQ(test::name(test::decide(*system, "tso", guesses)), c.tso) << c.file;
  }
}

// Peterson with one fence is right under tso. Under pso the flag stays behind while the turn is given away.
TEST(CubicleExamples, peterson_tells_tso_from_pso) {
  const auto system = example("peterson");
  ASSERT_TRUE(system);
  EXPECT_EQ(test::name(test::decide(*system, "tso")), "safe");
  const core::Verdict pso = test::decide(*system, "pso");
  ASSERT_EQ(test::name(pso), "unsafe");
  ASSERT_TRUE(pso.trace.has_value());
  // The reason is in the trace: some process looks while its flag is still in its buffer and its turn is not.
  bool overtaken = false;
  for (const core::TraceStep& s : pso.trace->steps) overtaken = overtaken || s.cost.ww > 0;
  EXPECT_TRUE(overtaken);
  test::expect_instances_agree(*system, pso, 5000);
}

// A read-write whose value read is used nowhere is locked all the same: the pending store must be out before it.
// (Cubicle-W loses the atomicity here and answers UNSAFE.)
TEST(CubicleExamples, unused_value_of_a_locked_step) {
  const std::string text = R"(
number_procs 2
type loc = L1 | L2 | End
array PC[proc] : loc
array R[proc] : int
weak var X : int
weak var Y : int
weak var Z : int
init (p) { PC[p] = L1 && R[p] = 1 && X = 0 && Y = 0 && Z = 0 }
unsafe (p q) { p = #1 && q = #2 && PC[p] = End && PC[q] = End && R[p] = 0 && R[q] = 0 }
transition w1 ([p]) requires { p = #1 && PC[p] = L1 } { PC[p] := L2; X := 1 }
transition r1 ([p]) requires { p = #1 && PC[p] = L2 && fence() } { PC[p] := End; R[p] := Y }
transition w2 ([p]) requires { p = #2 && PC[p] = L1 } { PC[p] := L2; Y := 1; Z := Z + 1 }
transition r2 ([p]) requires { p = #2 && PC[p] = L2 } { PC[p] := End; R[p] := X }
)";
  EXPECT_EQ(test::name(test::decide_text(text, "tso")), "safe");
  std::string plain = text;
  plain.replace(plain.find("; Z := Z + 1"), 12, "");
  EXPECT_EQ(test::name(test::decide_text(plain, "tso")), "unsafe");
}

// fence() in a transition without weak reads still orders earlier writes before later reads.
TEST(CubicleExamples, fence_without_reads) {
  const std::string text = R"(
type loc = L1 | L2 | L3 | End
array PC[proc] : loc
weak array F[proc] : bool
init (p) { PC[p] = L1 && F[p] = False }
unsafe (p q) { PC[p] = End && PC[q] = End }
transition raise ([p]) requires { PC[p] = L1 } { PC[p] := L2; F[p] := True }
transition settle ([p]) requires { PC[p] = L2 && fence() } { PC[p] := L3 }
transition enter ([p]) requires { PC[p] = L3 && forall_other q. F[q] = False } { PC[p] := End }
)";
  EXPECT_EQ(test::name(test::decide_text(text, "tso")), "safe");
  std::string plain = text;
  plain.replace(plain.find(" && fence()"), 11, "");
  EXPECT_EQ(test::name(test::decide_text(plain, "tso")), "unsafe");
}

// Ordinary Cubicle: no weak names, all models mean the same.
TEST(CubicleExamples, ordinary_systems) {
  const std::string mesi = R"(
type state = M | E | S | I
array Cache[proc] : state
init (z) { Cache[z] = I }
unsafe (x y) { Cache[x] = M && Cache[y] = M }
unsafe (x y) { Cache[x] = M && Cache[y] = S }
transition read_miss (x) requires { Cache[x] = I }
{ Cache[j] := case | j = x : S | Cache[j] = M : S | Cache[j] = E : S | _ : Cache[j] }
transition write_hit (x) requires { Cache[x] = S || Cache[x] = E }
{ Cache[j] := case | j = x : M | _ : I }
transition write_miss (x) requires { Cache[x] = I }
{ Cache[j] := case | j = x : M | _ : I }
)";
  for (const char* model : {"sc", "tso", "pso"}) EXPECT_EQ(test::name(test::decide_text(mesi, model)), "safe") << model;
  const std::string counter = R"(
type turn = Free | Held
var Lock : turn
var Count : int
var Rate : real
array In[proc] : bool
init (p) { Lock = Free && Count = 0 && Rate = 0.5 && In[p] = False }
unsafe () { Count > 1 }
unsafe (p q) { In[p] = True && In[q] = True }
unsafe () { Rate > 0.75 }
transition enter (p) requires { Lock = Free } { Lock := Held; Count := Count + 1; In[p] := True }
transition leave (p) requires { In[p] = True } { Lock := Free; Count := Count - 1; In[p] := False; Rate := 0.5 * Rate }
)";
  const core::Verdict v = test::decide_text(counter, "sc");
  EXPECT_NE(v.outcome, core::Outcome::Unsafe) << test::name(v);
}

// T names neither of two processes: a third one must be there, though it takes no step.
TEST(CubicleExamples, a_run_may_need_a_process_that_stands_by) {
  const core::Verdict v = test::decide_text(R"(
type loc = A | B
array PC[proc] : loc
weak var T : proc
init (p) { PC[p] = A }
unsafe (p q) { PC[p] = B && PC[q] = B }
transition go ([p]) requires { PC[p] = A && T <> p } { PC[p] := B }
)",
                                            "tso");
  ASSERT_EQ(test::name(v), "unsafe");
  EXPECT_NE(v.violation.find("with 3 processes"), std::string::npos) << v.violation;
}

// Each search has one more overtaken write at once than the one before, and the last one meets the limit.
TEST(CubicleExamples, what_is_proved_up_to_a_bound_stays_proved) {
  const auto system = example("arbiter_v1");
  ASSERT_TRUE(system);
  core::Budget limited;
  limited.max_states = 1200;
  const core::Verdict v = drive::decide_cubes(*system, *models::find("pso"), {}, limited);
  EXPECT_EQ(test::name(v), "safe up to");
  EXPECT_EQ(v.bounds, std::vector<std::string>{"overtaken writes 1"});
}

// Two processes pass because no third one is looked at: the run exists for the over-approximation only.
TEST(CubicleExamples, a_run_that_no_instance_has_is_not_unsafe) {
  const std::string text = R"(
type loc = A | B | C
array PC[proc] : loc
init (p) { PC[p] = A }
unsafe (p) { PC[p] = C }
transition go (p q) requires { PC[p] = A && PC[q] = A } { PC[p] := B }
transition end (p) requires { PC[p] = B && forall_other r. PC[r] = B } { PC[p] := C }
)";
  const auto system = cubicle::parse(text, "test.cub");
  ASSERT_TRUE(system);
  const core::Verdict v = test::decide(*system, "sc");
  EXPECT_EQ(v.outcome, core::Outcome::Unknown) << test::name(v);
  EXPECT_NE(v.reason.text.find("over-approximation"), std::string::npos);
  for (const unsigned n : {2U, 3U})
    EXPECT_FALSE(check::explore(check::CubicleMachine(*system, "sc", n, 2), 10000).unsafe);
}

std::string written(const std::string& name, const std::string& text) {
  const std::string file = std::string(::testing::TempDir()) + name;
  std::ofstream(file, std::ios::binary) << text;
  return file;
}

// What --check-certificate FILE says of the system.
support::Result<std::vector<core::Verdict>> rechecked(const cubicle::System& system, const std::string& file,
                                                      core::Budget& budget) {
  drive::Task task;
  task.check_certificate = file;
  drive::Subject subject{system, {}};
  return drive::recheck_certificate(subject, task, budget);
}

// A certificate that was written is read again, by itself, and proves the same; not of another text, nor after a
// change.
TEST(CubicleExamples, certificates_make_the_round_trip) {
  for (const char* name : {"spinlock", "two_phase_commit", "lamport_fast"})
    for (const char* model : {"sc", "tso"}) {
      const auto system = example(name);
      ASSERT_TRUE(system);
      core::Budget budget;
      drive::CubesOptions options;
      options.certify = true;
      const core::Finding answer = drive::search_cubes(*system, *models::find(model), options, budget);
      ASSERT_FALSE(answer.certificate.empty()) << name;
      const std::string file = written("certificate.json", answer.certificate);
      const auto again = rechecked(*system, file, budget);
      ASSERT_TRUE(again) << support::render(again.error());
      EXPECT_EQ((*again)[0].outcome, core::Outcome::Safe) << (*again)[0].reason.text;
      EXPECT_EQ((*again)[0].model, model);

      nlohmann::json fewer = nlohmann::json::parse(answer.certificate);
      fewer["cubes"].erase(0);
      const auto less = rechecked(*system, written("fewer.json", fewer.dump()), budget);
      ASSERT_TRUE(less);
      EXPECT_EQ((*less)[0].outcome, core::Outcome::Unknown);
      EXPECT_NE((*less)[0].reason.text.find("does not hold"), std::string::npos) << (*less)[0].reason.text;
    }
  core::Budget budget;
  EXPECT_FALSE(rechecked(*example("spinlock"), written("no.json", "{}"), budget));
  EXPECT_FALSE(rechecked(*example("spinlock"), "/no/such/file", budget));
}

// What --replay FILE says of the system.
support::Result<std::vector<core::Verdict>> replayed(const cubicle::System& system, const std::string& file) {
  drive::Task task;
  task.replay = file;
  core::Budget budget;
  drive::Subject subject{system, {}};
  return drive::replay_saved(*drive::language_of(".cub"), subject, task, budget);
}

// A saved run is followed step by step; a run of another system, or with a step missing, is not believed.
TEST(CubicleExamples, saved_runs_are_replayed) {
  for (const char* model : {"tso", "pso"}) {
    const auto system = example("naive_mutex_unfenced");
    ASSERT_TRUE(system);
    core::Verdict verdict = test::decide(*system, model);
    ASSERT_EQ(test::name(verdict), "unsafe");
    const auto again = replayed(*system, written("run.json", report::json({{"x.cub"}, {verdict}})));
    ASSERT_TRUE(again) << support::render(again.error());
    EXPECT_EQ((*again)[0].outcome, core::Outcome::Unsafe) << (*again)[0].reason.text;
    EXPECT_EQ((*again)[0].violation, verdict.violation);
    EXPECT_EQ((*again)[0].trace->steps.size(), verdict.trace->steps.size());

    const auto fenced = replayed(*example("naive_mutex"), written("run.json", report::json({{"x.cub"}, {verdict}})));
    ASSERT_FALSE(fenced);
    EXPECT_NE(fenced.error().message.find("any more"), std::string::npos) << fenced.error().message;

    // 2^32 + 2 processes are not 2.
    std::string more = report::json({{"x.cub"}, {verdict}});
    const std::string processes = "\"processes\": ";
    const std::size_t at = more.find(processes + "2");
    ASSERT_NE(at, std::string::npos);
    more.replace(at, processes.size() + 1, processes + "4294967298");
    EXPECT_FALSE(replayed(*system, written("run.json", more)));

    verdict.trace->steps.erase(verdict.trace->steps.begin());
    EXPECT_FALSE(replayed(*system, written("run.json", report::json({{"x.cub"}, {verdict}}))));
  }
  EXPECT_FALSE(replayed(*example("naive_mutex"), "/no/such/file"));
  EXPECT_FALSE(replayed(*example("naive_mutex"), written("run.json", "{}")));
}

// A SAFE of nothing says so.
TEST(CubicleExamples, no_initial_state_is_told) {
  const core::Verdict v = test::decide_text(
      "var X : int\ninit () { X = 0 && X = 1 }\nunsafe () { X = 2 }\ntransition t (p) requires { X = 1 } { X := 2 }\n",
      "sc");
  EXPECT_EQ(v.outcome, core::Outcome::Safe);
  EXPECT_TRUE(std::any_of(v.notes.begin(), v.notes.end(),
                          [](const std::string& n) { return n.find("no initial state") != std::string::npos; }));
}

// What init leaves open is part of the run.
TEST(CubicleExamples, a_run_tells_its_initial_values) {
  const core::Verdict v = test::decide_text(
      "type t = A | B\narray P[proc] : t\nvar X : int\ninit (p) { P[p] = A }\nunsafe (p) { P[p] = B }\ntransition go "
      "(p) requires { X = 7 } { P[p] := B }\n",
      "sc");
  ASSERT_EQ(test::name(v), "unsafe");
  EXPECT_EQ(v.trace->steps[0].effects[0].value, "initially X = 7");
}

}  // namespace
}  // namespace heddle
