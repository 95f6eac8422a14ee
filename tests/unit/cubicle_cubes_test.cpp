// Cubes up to renaming, subsumption, certificates that must not pass, and smallest repairs.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <nlohmann/json.hpp>
#include <random>

#include "check/cubicle_certificate.h"
#include "param/canonical.h"
#include "param/search.h"
#include "param/subsume.h"
#include "repair/cubicle_fences.h"
#include "support/cubicle.h"
#include "support/places.h"

namespace heddle {
namespace {

cubicle::System example(const std::string& file) {
  const auto system = cubicle::parse_file(tests::source_dir() + "/examples/" + file + ".cub");
  EXPECT_TRUE(system);
  return *system;
}

std::vector<array::Cube> invariant_of(const array::System& system) {
  core::Budget budget;
  return param::search(system, *array::memory_model("tso"), {}, budget).invariant;
}

TEST(Cubes, renaming_changes_neither_form_nor_meaning) {
  const cubicle::System source = example("arbiter_v2");
  const auto system = array::compile(source);
  ASSERT_TRUE(system);
  std::mt19937 random(3);
  unsigned equal = 0, all = 0;
  for (const array::Cube& cube : invariant_of(*system)) {
    array::Renaming r;
    r.process.fill(array::no_process);
    r.node.fill(32);
    std::vector<std::uint8_t> processes(cube.processes), nodes(cube.nodes);
    for (std::uint8_t i = 0; i < cube.processes; ++i) processes[i] = i;
    for (std::uint8_t i = 0; i < cube.nodes; ++i) nodes[i] = i;
    std::shuffle(processes.begin(), processes.end(), random);
    std::shuffle(nodes.begin(), nodes.end(), random);
    std::copy(processes.begin(), processes.end(), r.process.begin());
    std::copy(nodes.begin(), nodes.end(), r.node.begin());
    array::Cube other = array::rename(cube, r, cube.processes, cube.nodes);
    EXPECT_TRUE(param::subsumes(cube, other, *system));
    EXPECT_TRUE(param::subsumes(other, cube, *system));
    param::canonicalise(other, *system);
    array::Cube again = cube;
    param::canonicalise(again, *system);
    ++all;
    if (again == other) ++equal;
    array::Cube less = other;
    if (!less.literals.empty()) {
      less.literals.erase(less.literals.begin() + static_cast<std::ptrdiff_t>(random() % less.literals.size()));
      EXPECT_TRUE(param::subsumes(less, other, *system));
      EXPECT_FALSE(param::subsumes(other, less, *system));
    }
  }
  EXPECT_GT(all, 100u);
  EXPECT_GE(equal * 100, all * 95);  // ties between events may keep a few apart
}

TEST(Cubes, certificates_that_prove_nothing_are_refused) {
  core::Budget budget;
  const cubicle::System source = example("naive_mutex");
  const auto system = array::compile(source);
  ASSERT_TRUE(system);
  const auto cubes = invariant_of(*system);
  const std::string good = check::certificate_text(*system, *array::memory_model("tso"), cubes);
  const check::CertificateCheck checked = check::check_certificate(*system, good, budget);
  EXPECT_TRUE(checked.valid) << checked.reason;
  EXPECT_EQ(checked.cubes, cubes.size());

  // Every single cube is needed: nothing subsumes it and something leads into it, or it is unsafe itself.
  for (std::size_t i = 0; i < cubes.size(); ++i) {
    auto fewer = cubes;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_FALSE(
        check::check_certificate(*system, check::certificate_text(*system, *array::memory_model("tso"), fewer), budget)
            .valid)
        << i;
  }
  // Any literal less lets an initial state in, or something that leads there.
  nlohmann::json weaker = nlohmann::json::parse(good);
  weaker["cubes"][0]["literals"].erase(0);
  EXPECT_FALSE(check::check_certificate(*system, weaker.dump(), budget).valid);
  // A proof for a fenced system is none for the other.
  const cubicle::System unfenced = example("naive_mutex_unfenced");
  const auto other = array::compile(unfenced);
  ASSERT_TRUE(other);
  EXPECT_FALSE(check::check_certificate(*other, good, budget).valid);
  // Files may say anything.
  for (const char* text :
       {"", "{}", "{\"model\":\"tso\"}", "{\"model\":\"x\",\"cubes\":[]}", "{\"model\":\"tso\",\"cubes\":[]}"})
    EXPECT_FALSE(check::check_certificate(*system, text, budget).valid);
  nlohmann::json wild = nlohmann::json::parse(good);
  wild["cubes"][0]["literals"][0][0] = "At[#9]";
  EXPECT_FALSE(check::check_certificate(*system, wild.dump(), budget).valid);
}

// A literal about variables alone, without any process, has to hold of what a cube covers like every other one.
TEST(Cubes, a_certificate_about_other_values_of_a_variable_is_refused) {
  core::Budget budget;
  for (const bool indexed : {false, true}) {
    const std::string more = indexed ? "array A[proc] : bool\n" : "", and_more = indexed ? " && A[x] = True" : "";
    const auto text = [&](int value) {
      return "var X : int\n" + more + "init (x) { X = 0" + and_more + " }\nunsafe (x) { X = " + std::to_string(value) +
             and_more + " }\ntransition t (x) requires { X = 0 } { X := 1 }\n";
    };
    const auto safe = cubicle::parse(text(7), "safe.cub"), unsafe = cubicle::parse(text(1), "unsafe.cub");
    ASSERT_TRUE(safe && unsafe);
    const auto proved = array::compile(*safe), other = array::compile(*unsafe);
    ASSERT_TRUE(proved && other);
    const std::string good = check::certificate_text(*proved, *array::memory_model("tso"), invariant_of(*proved));
    EXPECT_TRUE(check::check_certificate(*proved, good, budget).valid);
    EXPECT_FALSE(check::check_certificate(*other, good, budget).valid);
  }
}

check::CertificateCheck check_cubes(const std::string& text, const std::string& model,
                                    const std::vector<std::string>& cubes) {
  const auto source = cubicle::parse(text, "forged.cub");
  EXPECT_TRUE(source);
  const auto system = array::compile(*source);
  EXPECT_TRUE(system);
  std::string all;
  for (const std::string& cube : cubes)
    all += (all.empty() ? "" : ",") + ("{\"processes\":2,\"events\":0,\"event_rows\":[],\"all_rows\":[0,0]," + cube) +
           ",\"write_rows\":[0,0],\"other_rows\":[0,0],\"cell_rows\":[]}";
  core::Budget budget;
  return check::check_certificate(
      *system, R"({"format":"heddle array certificate 2","model":")" + model + "\",\"cubes\":[" + all + "]}", budget);
}

// #2 is the number 1 in a formula, and another one once the cube is renamed: a literal that compares it with a number
// covers what it does not say.
TEST(Cubes, a_certificate_compares_values_of_one_type) {
  const std::string text = R"(
type loc = L0 | L1
type abstract
array PC[proc] : loc
array B[proc] : bool
var T : proc
var A : abstract
var N : int
var R : real
init (i) { PC[i] = L0 && B[i] = False && N = 0 && R = 0.0 }
unsafe (p q) { PC[p] = L1 && B[q] = False }
transition t (p) { PC[p] := L1 }
)";
  for (const char* literals :
       {R"("literals":[["PC[#1]","=","#2",0]])", R"("literals":[["PC[#1]","=","B[#2]",0]])",
        R"("literals":[["PC[#1]","<=","0",1]])", R"("literals":[["PC[#1]","=","PC[#2]",1]])",
        R"("literals":[["T","=","0",1]])", R"("literals":[["T","=","#2",1]])", R"("literals":[["T","<","#2",0]])",
        R"("literals":[["A","=","0",1]])", R"("literals":[["N","=","R",0]])", R"("literals":[["0","=","0",0]])",
        R"("literals":[],"linear":[[[["PC[#1]",1],["#2",-1]],"=",0]])",
        R"("literals":[],"linear":[[[["N",1],["R",-2]],"=",0]])", R"("literals":[],"linear":[[[["0",1]],"=",0]])",
        R"("literals":[],"linear":[[[],"=",0]])"}) {
    const check::CertificateCheck checked = check_cubes(text, "tso", {literals});
    EXPECT_FALSE(checked.valid) << literals;
    EXPECT_TRUE(checked.malformed) << literals;
  }
  for (const char* literals :
       {R"("literals":[["PC[#1]","<>","0",1],["T","=","#2",0],["N","<=","0",3]],"linear":[[[["R",2]],"<",1]])",
        R"("literals":[["PC[#1]","=","PC[#2]",0],["A","=","A",0]])"}) {
    const check::CertificateCheck checked = check_cubes(text, "tso", {literals});
    EXPECT_FALSE(checked.malformed) << literals << checked.reason;
  }
}

TEST(Cubes, a_certificate_speaks_of_writes_that_were_promised) {
  const std::string text = R"(
type loc = L0 | L1 | L2
array PC[proc] : loc
weak var X : int
weak var Y : int
init (p) { PC[p] = L0 && X = 0 && Y = 0 }
unsafe (p q) { PC[p] = L2 && PC[q] = L2 && q @ X = 2 }
transition t1_1 ([p]) requires { PC[p] = L0 } { PC[p] := L1; X := 2 }
transition t1_2 ([p]) requires { PC[p] = L1 } { PC[p] := L2; Y := 1 }
)";
  const auto promise = [](const std::string& literal, const std::string& cell) {
    return R"("literals":[[")" + literal + R"(","=","0",1]],"promises":[{"process":0,"cells":[")" + cell +
           R"("],"row":0,"passed":true}])";
  };
  EXPECT_FALSE(check_cubes(text, "pso", {promise("X?1", "X")}).malformed);
  for (const auto& [literal, cell] : {std::pair{"Y?1", "X"}, {"X?2", "X"}, {"PC[#1]?1", "PC[#1]"}, {"X?1", "#1"}})
    EXPECT_TRUE(check_cubes(text, "pso", {promise(literal, cell)}).malformed) << literal;
}

// Repairs against brute force over all sets of guards.
TEST(Cubes, repairs_are_smallest) {
  for (const std::string file : {"naive_mutex_unfenced", "lamport_fast_unfenced", "peterson", "spinlock"}) {
    const cubicle::System system = example(file);
    for (const std::string model : {"tso", "pso"}) {
      if (file == "lamport_fast_unfenced" && model == "pso") continue;  // takes a while
      const auto decide = [&](const cubicle::System& s) {
        core::Budget budget;
        return drive::decide_cubes(s, *models::find(model), {}, budget);
      };
      const repair::FenceRepair found = repair::repair_fences(system, {.decide = decide});
      ASSERT_TRUE(found.outcome == repair::FenceRepair::Outcome::Safe ||
                  found.outcome == repair::FenceRepair::Outcome::Repaired)
          << file;
      const auto text = cubicle::parse(repair::text_with_fences(system, found.fences), file);
      ASSERT_TRUE(text) << support::render(text.error());
      EXPECT_EQ(decide(*text).outcome, core::Outcome::Safe) << file << " " << model;
      const std::size_t n = system.transitions.size();
      for (unsigned set = 0; set < (1U << n); ++set) {
        std::vector<std::size_t> fences;
        for (std::size_t t = 0; t < n; ++t)
          if ((set >> t & 1) != 0) fences.push_back(t);
        if (fences.size() < found.fences.size()) {
          EXPECT_EQ(decide(repair::with_fences(system, fences)).outcome, core::Outcome::Unsafe)
              << file << " " << model << " " << set;
        }
      }
    }
  }
}

// Without buffers in play no fence can help.
TEST(Cubes, what_no_fence_repairs) {
  const auto system = cubicle::parse(R"(
type l = A | B
array P[proc] : l
weak var X : bool
init (p) { P[p] = A && X = False }
unsafe (p q) { P[p] = B && P[q] = B }
transition go ([p]) requires { P[p] = A && X = False } { P[p] := B }
)",
                                     "x.cub");
  ASSERT_TRUE(system);
  const repair::FenceRepair found = repair::repair_fences(*system, {.decide = [](const cubicle::System& s) {
    core::Budget budget;
    return drive::decide_cubes(s, *models::find("tso"), {}, budget);
  }});
  EXPECT_EQ(found.outcome, repair::FenceRepair::Outcome::Hopeless);
}

}  // namespace
}  // namespace heddle
