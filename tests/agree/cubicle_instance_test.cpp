// Finite instances as ir programs: the same states as the naive machine has, and the answers of the explicit engine
// against those for any number of processes.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>
#include <filesystem>
#include <map>

#include "buffers/saturate.h"
#include "check/buffer_certificate.h"
#include "drive/buffers_engine.h"
#include "drive/explicit_engine.h"
#include "drive/referee.h"
#include "explore/search.h"
#include "ir/system.h"
#include "lang/cubicle/instance.h"
#include "models/models.h"
#include "support/cubicle.h"
#include "support/places.h"
#include "support/random_cubicle.h"
#include "support/shared.h"

namespace heddle {
namespace {

constexpr const char* models[] = {"sc", "tso", "pso"};

struct Explored {
  std::uint64_t states = 0;
  bool unsafe = false, complete = false, bounded = false;
};

// Everything, also beyond unsafe states.
Explored explore_whole(const cubicle::System& system, const char* model, unsigned processes, unsigned buffer) {
  const auto instance = cubicle::instantiate(system, processes);
  EXPECT_TRUE(instance) << support::render(instance.error());
  if (!instance) return {};
  ir::SystemOptions how;
  how.buffer_bound = buffer;
  const ir::System product(instance->program, *models::machine(model), how);
  core::Budget budget;
  const explore::SearchResult all = explore::search(product, {}, budget);
  EXPECT_FALSE(all.found.has_value());
  explore::SearchOptions goals;
  for (std::uint32_t u = 0; u < instance->program.propositions.size(); ++u) goals.goals.push_back({u, true});
  Explored result;
  // The state before the choice of an initial one is none of the machine's.
  const bool chooses = instance->program.processes.back().states.size() > 1;
  result.states = all.states - (chooses ? 1 : 0);
  result.unsafe = explore::search(product, goals, budget).found.has_value();
  result.bounded = !product.bounds_reached().empty();
  result.complete = !all.stopped;
  return result;
}

// The naive machine is the oracle of the lowering: as many states, and the same answer.
void expect_same_states(const cubicle::System& system, const char* model, unsigned processes, unsigned buffer,
                        std::size_t limit, unsigned& compared) {
  const check::CubicleMachine machine(system, model, processes, buffer);
  const check::CubicleExploration naive = check::explore(machine, limit, true);
  if (naive.states.size() >= limit) return;
  const Explored fast = explore_whole(system, model, processes, buffer);
  EXPECT_EQ(fast.states, naive.states.size()) << system.file << " " << model << ", " << processes << " processes\n"
                                              << system.text;
  EXPECT_EQ(fast.unsafe, naive.unsafe) << system.file << " " << model << ", " << processes << " processes\n"
                                       << system.text;
  ++compared;
}

// Buffers without a bound against buffers of one to six entries; every proof is certified.
TEST(CubicleInstance, random_systems_without_a_bound) {
  std::mt19937 random(314);
  unsigned decided = 0, unsafe = 0, refused = 0, open = 0;
  for (int i = 0; i < 400; ++i) {
    std::string text = test::random_cubicle(random);
    const std::string several = "&& F[p] = False }";  // leaves open what T is at first
    text.replace(text.find(several), several.size(), "&& F[p] = False && T = #1 }");
    const auto system = cubicle::parse(text, "random.cub");
    ASSERT_TRUE(system) << support::render(system.error());
    const auto instance = cubicle::instantiate(*system, 2);
    ASSERT_TRUE(instance);
    for (const auto& [model, order] : {std::pair{"tso", ir::StoreOrder::Program}, {"pso", ir::StoreOrder::Location}}) {
      buffers::Question question;
      question.order = order;
      check::BufferClaim claim;
      for (std::uint32_t u = 0; u < instance->program.propositions.size(); ++u) {
        question.goals.push_back({u, true});
        claim.goals.push_back({u, true});
      }
      if (instance->program.has_commit || buffers::refuse(instance->program, question)) {
        ++refused;
        continue;
      }
      core::Budget budget;
      budget.max_states = 300;
      const buffers::Answer answer = buffers::decide(instance->program, question, budget);
      if (answer.kind == buffers::Answer::Kind::Unknown) {
        ++open;
        continue;
      }
      ++decided;
      bool found = false;
      for (unsigned bound = 1; bound <= 6 && !found; ++bound) {
        const check::CubicleMachine machine(*system, model, 2, bound);
        found = check::explore(machine, 20000, true).unsafe;
      }
      unsafe += found;
      EXPECT_EQ(answer.kind == buffers::Answer::Kind::Violated, found) << model << "\n" << text;
      if (answer.kind != buffers::Answer::Kind::Holds) continue;
      const auto checked = check::check_buffer_sets(instance->program, answer.proof, claim, budget);
      EXPECT_TRUE(checked.verified) << checked.why << "\n" << text;
    }
  }
  std::printf("%u decided (%u unsafe), %u refused, %u open\n", decided, unsafe, refused, open);
  EXPECT_GT(decided, 50U);
}

// Files, by the rows of the table of engines: buffers without a bound against explicit states with buffers of five
// entries, each verdict through the referee. Where both answer they agree; what needs longer buffers is said as UNKNOWN.
void expect_same_verdict(const cubicle::System& system, const char* model, unsigned processes,
                         std::map<std::string, unsigned>& counts) {
  drive::Task task;
  task.engine.set("buffers");
  task.procs.set(processes);
  const models::Model& row = *models::find(model);
  const drive::Subject subject{system, {}};
  if (drive::buffers_refuses(subject, row, task)) {
    ++counts["refused"];
    return;
  }
  core::Budget symbolic, finite;
  symbolic.max_states = 2000;
  finite.max_states = 50'000;
  const core::Verdict any =
      drive::judge(subject, row, "buffers", task, drive::run_buffers(subject, row, task, symbolic));
  const core::Verdict five =
      drive::judge(subject, row, "explicit", task,
                   drive::explore_instance(system, row, {.processes = processes, .buffer = 5}, finite));
  SCOPED_TRACE(fmt::format("{} {}, {} processes", system.file, model, processes));
  for (const core::Verdict* v : {&any, &five})
    EXPECT_EQ(v->reason.text.find("internal"), std::string::npos) << v->reason.text;
  if (any.outcome == core::Outcome::Unknown || five.outcome == core::Outcome::Unknown) {
    ++counts["open"];
    return;
  }
  EXPECT_EQ(any.outcome, five.outcome);
  EXPECT_TRUE(any.bounds.empty());
  ++counts[any.outcome == core::Outcome::Safe ? "safe" : "unsafe"];
}

TEST(CubicleInstance, files_without_a_bound) {
  std::map<std::string, unsigned> counts;
  for (const char* folder : {"/examples", "/tests/regress/cub"})
    for (const auto& entry : std::filesystem::directory_iterator(tests::source_dir() + folder)) {
      if (entry.path().extension() != ".cub") continue;
      const auto system = cubicle::parse_file(entry.path().string());
      if (!system) continue;  // a test of messages
      for (const char* model : {"tso", "pso"})
        for (const unsigned n : {2U, 3U}) {
          if (n < system->concrete || (system->number_procs != 0 && n != system->number_procs)) continue;
          expect_same_verdict(*system, model, n, counts);
        }
    }
  for (const auto& [what, count] : counts) std::printf("%u %s\n", count, what.c_str());
  EXPECT_GE(counts["safe"], 20U);
  EXPECT_GE(counts["unsafe"], 9U);
}

TEST(CubicleInstance, random_systems_have_the_states_of_the_naive_machine) {
  std::mt19937 random(2718);
  unsigned compared = 0;
  for (unsigned i = 0; i < 40; ++i) {
    const auto system = cubicle::parse(test::random_cubicle(random), "random.cub");
    ASSERT_TRUE(system);
    for (const char* model : models)
      for (const unsigned n : {1U, 2U}) expect_same_states(*system, model, n, 2, 3000, compared);
  }
  EXPECT_GT(compared, 150u);
}

TEST(CubicleInstance, examples_have_the_states_of_the_naive_machine) {
  unsigned compared = 0;
  for (const char* file : test::example_systems) {
    const auto system = test::example(file);
    ASSERT_TRUE(system);
    for (const char* model : models) expect_same_states(*system, model, 2, 1, 4000, compared);
  }
  EXPECT_GT(compared, 20u);
}

// What the language has beside the examples: simultaneous assignments, cases, choices, arithmetic, fractions, named
// processes.
TEST(CubicleInstance, the_whole_language) {
  const char* texts[] = {
      "type t = A | B | C\nvar X : t\nvar Y : t\ninit () { X = A && Y = B }\nunsafe () { X = C }\ntransition swap (p) "
      "requires { True } { X := Y; Y := X }\n",
      "var X : int\nvar Y : int\ninit () { X = 0 && Y = 3 }\nunsafe () { X = Y && X > 2 }\n"
      "transition up (p) requires { X < Y } { X := X + 1; Y := Y - 1 }\ntransition down (p) requires { 2 * X > Y } { X "
      ":= X - 2; Y := Y + X }\n",
      "var R : real\ninit () { R = 0.5 }\nunsafe () { R > 2.25 }\ntransition up (p) requires { R < 2.0 } { R := R + "
      "0.25 }\ntransition down (p) requires { R >= 1.5 } { R := R - 1.0 }\n",
      "type t = M | S | I\narray C[proc] : t\narray D[proc,proc] : bool\ninit (x y) { C[x] = I && D[x,y] = False "
      "}\nunsafe (x y) { C[x] = M && C[y] = M }\n"
      "transition get (x y) requires { C[x] = I && D[y,x] = False } { C[j] := case | j = x : M | C[j] = M : S | _ : "
      "C[j]; D[x,y] := True }\n"
      "transition mess (x) requires { exists_other y. C[y] = S } { D[i,j] := case | i = x : True | _ : D[i,j]; C[x] := "
      "? }\n",
      "type t = A | B\narray P[proc] : t\nweak var X : proc\nweak var Y : bool\nweak var N : int\ninit (p) { P[p] = A "
      "&& N = 0 }\n"
      "unsafe (p q) { p @ X = p && q @ X = q && p @ Y = True && q @ Y = False }\n"
      "transition set ([p] q) requires { P[p] = A } { P[p] := B; X := q; Y := . }\n"
      "transition count ([p]) requires { P[p] = B && N < 3 } { P[p] := A; N := N + 1; Y := case | X = p : True | _ : Y "
      "}\n",
      "type t = A | B\narray P[proc] : t\nconst K[proc] : bool\nweak array F[proc] : bool\ninvariant (p q) { K[p] = "
      "True && K[q] = True }\n"
      "invariant (p q) { p @ F[q] = True && q @ F[p] = True && P[p] = B }\ninit (p) { P[p] = A && F[p] = False "
      "}\nunsafe (p q) { P[p] = B && P[q] = B }\n"
      "transition raise ([p]) requires { P[p] = A } { P[p] := B; F[j] := case | j = p : True }\n"
      "transition drop ([p] q) requires { P[p] = B && K[p] = False && (F[q] = True || P[p] = B) } { P[p] := A; F[p] := "
      "False; F[q] := False }\n",
      "weak var X : bool\narray P[proc] : bool\ninit (p) { X = False && P[p] = False }\nunsafe () { #1 @ X = True && "
      "#2 @ X = False && P[#1] = True }\n"
      "transition one ([p]) requires { p = #1 && P[p] = False } { P[p] := True; X := True }\ntransition two ([p]) "
      "requires { p = #2 && fence() } { X := False }\n"};
  unsigned compared = 0;
  for (const char* text : texts) {
    const auto system = cubicle::parse(text, "test.cub");
    ASSERT_TRUE(system) << support::render(system.error()) << text;
    for (const char* model : models)
      for (const unsigned n : {2U, 3U})
        expect_same_states(*system, system->has_weak() ? model : "sc", n, 2, 6000, compared);
  }
  EXPECT_GT(compared, 30u);
}

TEST(CubicleInstance, what_has_no_instance_is_refused) {
  const std::pair<const char*, unsigned> texts[] = {
      {"var R : real\ninit () { R = 0.5 }\nunsafe () { R > 1.0 }\ntransition t (p) requires { True } { R := 0.5 * R "
       "}\n",
       2},
      {"var X : int\ninit () { X = 100000 }\nunsafe () { X = 0 }\ntransition t (p) requires { True } { X := X - 1 }\n",
       2},
      {"var X : proc\ninit () { X = #3 }\nunsafe () { X = #1 }\ntransition t (p) requires { True } { X := p }\n", 2},
      {"number_procs 2\nvar X : proc\ninit () { X = #1 }\nunsafe () { X = #2 }\ntransition t (p) requires { True } { X "
       ":= p }\n",
       3},
      {"var X : bool\ninit () { X = True && X = False }\nunsafe () { X = True }\ntransition t (p) requires { True } { "
       "X := True }\n",
       2}};
  for (const auto& [text, n] : texts) {
    const auto system = cubicle::parse(text, "test.cub");
    ASSERT_TRUE(system) << support::render(system.error()) << text;
    EXPECT_FALSE(cubicle::instantiate(*system, n)) << text;
  }
}

TEST(CubicleInstance, building_one_ends_with_the_budget) {
  const auto system = cubicle::parse(
      "array A[proc] : bool\ninit (z) { A[z] = False }\nunsafe (z) { A[z] = True }\n"
      "transition t (p q r) requires { A[p] = True && A[q] = True } { A[r] := False }\n",
      "test.cub");
  ASSERT_TRUE(system) << support::render(system.error());
  core::Budget budget;
  EXPECT_TRUE(cubicle::instantiate(*system, 12, &budget));
  budget.seconds = 0;
  const auto instance = cubicle::instantiate(*system, 12, &budget);
  ASSERT_FALSE(instance);
  EXPECT_TRUE(instance.error().limit);
}

// A number that leaves 16 bits is no violation and no proof.
TEST(CubicleInstance, numbers_out_of_range_are_unknown) {
  const auto system = cubicle::parse(
      "var X : int\ninit () { X = 0 }\nunsafe () { X < 0 }\ntransition t (p) requires { True } { X := X + 1000 }\n",
      "test.cub");
  ASSERT_TRUE(system);
  core::Budget budget;
  const core::Finding finding = drive::explore_instance(*system, *models::find("sc"), {}, budget);
  ASSERT_NE(finding.stopped(), nullptr);
  EXPECT_NE(finding.stopped()->text.find("32767"), std::string::npos) << finding.stopped()->text;
}

// UNSAFE there implies UNSAFE here, SAFE here implies SAFE there. Prints how far each instance was explored.
void expect_agreement(const cubicle::System& system, const std::string& name, const char* model,
                      const core::Verdict& any, unsigned buffer, std::uint64_t limit) {
  for (unsigned n = std::max(2U, system.concrete); n <= std::max(3U, system.concrete); ++n) {
    if (system.number_procs != 0 && n > system.number_procs) break;
    core::Budget budget;
    budget.max_states = limit;
    drive::InstanceOptions options;
    options.processes = n;
    options.buffer = buffer;
    const models::Model& row = *models::find(model);
    const core::Verdict judged =
        drive::judge({system, {}}, row, "explicit", {}, drive::explore_instance(system, row, options, budget));
    const core::Verdict* here = &judged;
    std::printf("  %-24s %-3s N = %u  %10llu states  %s\n", name.c_str(), model, n,
                static_cast<unsigned long long>(here->statistics.states.value_or(0)),
                here->outcome == core::Outcome::Unknown  ? here->reason.text.c_str()
                : here->outcome == core::Outcome::Unsafe ? "unsafe"
                : here->bounds.empty()                   ? "safe"
                                                         : ("safe up to " + here->bounds[0]).c_str());
    EXPECT_EQ(here->reason.text.find("internal"), std::string::npos) << here->reason.text;
    if (here->outcome == core::Outcome::Unsafe) {
      EXPECT_TRUE(here->trace.has_value());
      EXPECT_EQ(test::name(any), "unsafe") << name << " under " << model << " with " << n << " processes";
    }
  }
}

TEST(CubicleInstance, examples_agree_slow) {
  for (const char* file : test::example_systems) {
    const auto system = test::example(file);
    ASSERT_TRUE(system);
    for (const char* model : models)
      expect_agreement(*system, file, model, test::decide(*system, model, {}, 3), 4, 400000);
  }
}

TEST(CubicleInstance, corpus_agrees_slow) {
  if (tests::shared("corpora/cubicle-w/expected.csv").empty()) GTEST_SKIP() << "the corpus is not here";
  for (const auto& entry : std::filesystem::directory_iterator(tests::shared("corpora/cubicle-w"))) {
    if (entry.path().extension() != ".cub") continue;
    const auto system = cubicle::parse_file(entry.path().string());
    ASSERT_TRUE(system) << support::render(system.error());
    for (const char* model : models)
      expect_agreement(*system, entry.path().filename().string(), model, test::decide(*system, model, {}, 3), 4,
                       400000);
  }
}

}  // namespace
}  // namespace heddle
