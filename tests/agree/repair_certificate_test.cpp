// Certificates of repairs: one that was written holds, and one from which anything was taken, or in which anything was
// put in another's place, does not, and says what is missing.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "check/cubicle_explore.h"
#include "drive/ladder.h"
#include "drive/repair.h"
#include "lang/cubicle/parser.h"
#include "repair/cubicle_fences.h"
#include "support/own_folder.h"
#include "support/places.h"
#include "support/random_cubicle.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

const char* const peterson = R"(byte flag[2];
byte turn;
process P_0 {
  state idle, asked, waiting, critical;
  init idle;
  assert critical: not P_1.critical;
  trans
    idle -> asked { effect flag[0] = 1; },
    asked -> waiting { effect turn = 1; },
    waiting -> critical { guard flag[1] == 0 or turn == 0; },
    critical -> idle { effect flag[0] = 0; };
}
process P_1 {
  state idle, asked, waiting, critical;
  init idle;
  trans
    idle -> asked { effect flag[1] = 1; },
    asked -> waiting { effect turn = 0; },
    waiting -> critical { guard flag[0] == 0 or turn == 1; },
    critical -> idle { effect flag[1] = 0; };
}
system async;
)";

const char* const rmm_peterson = R"(forbidden CS CS
data turn = 0 : [0:1] f0 = 0 : [0:1] f1 = 0 : [0:1]
process
text
  top: write: f0 := 1;
  write: turn := 1;
  either { read: f1 = 0 or read: turn = 0 };
  CS: write: f0 := 0;
  goto top
process
text
  top: write: f1 := 1;
  write: turn := 0;
  either { read: f0 = 0 or read: turn = 1 };
  CS: write: f1 := 0;
  goto top
)";

const char* const mailbox = R"(#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
int letter;
atomic_int arrived;
void *sender(void *unused) {
  letter = 42;
  atomic_store_explicit(&arrived, 1, memory_order_relaxed);
  return unused;
}
int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, sender, 0);
  if (atomic_load_explicit(&arrived, memory_order_relaxed)) assert(letter == 42);
  pthread_join(thread, 0);
}
)";

std::string written(const std::string& name, const std::string& text) {
  const fs::path path = tests::own_folder() / name;
  std::ofstream(path, std::ios::binary) << text;
  return path.string();
}

std::string example(const std::string& name) {
  std::ifstream in(fs::path(tests::source_dir()) / "examples" / name);
  std::stringstream text;
  text << in.rdbuf();
  return text.str();
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const std::size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  if (at != std::string::npos) text.replace(at, what.size(), with);
  return text;
}

// A question, and what is done with its certificates.
class Certified {
 public:
  Certified(const std::string& name, const std::string& text, const std::string& models) {
    task.files = {written(name, text)};
    task.models.set(drive::split(models, ','));
  }

  drive::Task task;
  drive::RepairOptions options;
  std::uint64_t max_states = std::numeric_limits<std::uint64_t>::max();

  support::Result<std::vector<drive::Repair>> run(const drive::RepairOptions& with) const {
    core::Budget budget;
    budget.max_states = max_states;
    return drive::repair(*drive::language_of(task.files.front()), task, with, budget);
  }

  Json write() const {
    drive::RepairOptions with = options;
    with.certificate = (tests::own_folder() / "certificate.json").string();
    const auto repairs = run(with);
    if (!repairs) throw std::runtime_error(render(repairs.error()));
    std::ifstream in(with.certificate);
    return Json::parse(in);
  }

  // The answers in one text.
  std::string check(const Json& certificate) const {
    drive::RepairOptions with = options;
    with.check_certificate = written("changed.json", certificate.dump());
    const auto repairs = run(with);
    if (!repairs) return render(repairs.error());
    for (const drive::Repair& repair : *repairs)
      EXPECT_EQ(repair.outcome == core::Outcome::Unknown, repair.summary.starts_with("UNKNOWN")) << repair.summary;
    return report::text_of(*repairs);
  }
};

bool holds(const std::string& answer) {
  return answer.find("the certificate holds") != std::string::npos && answer.find("UNKNOWN") == std::string::npos;
}

#define EXPECT_SAYS(answer, part)                                       \
  do {                                                                  \
    const std::string said = answer;                                    \
    EXPECT_NE(said.find(part), std::string::npos) << said << "\n" part; \
  } while (false)

// Whatever is taken or exchanged, it is rejected.
void expect_tight(const Certified& question, std::size_t members) {
  const Json whole = question.write();
  const std::string answer = question.check(whole);
  EXPECT_TRUE(holds(answer)) << answer;
  for (std::size_t r = 0; r < whole["repairs"].size(); ++r) {
    const Json& repair = whole["repairs"][r];
    EXPECT_EQ(repair["set"].size(), members);
    for (std::size_t c = 0; c < repair["constraints"].size(); ++c) {
      Json less = whole;
      less["repairs"][r]["constraints"].erase(c);
      EXPECT_SAYS(question.check(less), "no run shows that");
      // A smaller constraint would say more than its run shows.
      for (std::size_t p = 0; p < repair["constraints"][c]["places"].size(); ++p) {
        Json bolder = whole;
        bolder["repairs"][r]["constraints"][c]["places"].erase(p);
        EXPECT_SAYS(question.check(bolder), "does not go wrong with everything but");
      }
      const std::size_t run = repair["constraints"][c]["run"].get<std::size_t>();
      Json shorter = whole;
      Json& trace = shorter["verdicts"][run]["trace"];
      trace["steps"].erase(trace["steps"].size() - 1);
      if (trace.contains("execution")) trace["execution"]["events"].erase(trace["execution"]["events"].size() - 1);
      EXPECT_FALSE(holds(question.check(shorter)));
    }
    const auto set = repair["set"].get<std::vector<std::uint32_t>>();
    for (std::uint32_t place = 0; place < repair["places"].size(); ++place) {
      if (std::ranges::binary_search(set, place)) continue;
      std::vector<std::uint32_t> more = set;
      more.insert(std::ranges::upper_bound(more, place), place);
      Json changed = whole;
      changed["repairs"][r]["set"] = more;
      EXPECT_SAYS(question.check(changed), "which is cheaper");
    }
    for (std::size_t m = 0; m < set.size(); ++m) {
      Json changed = whole;
      changed["repairs"][r]["set"].erase(m);
      EXPECT_SAYS(question.check(changed), "still goes wrong with the set, which has none of");
    }
    Json cheap = whole;
    cheap["repairs"][r]["places"][set.front()]["cost"] = 0;
    EXPECT_SAYS(question.check(cheap), "at another cost");
  }
}

TEST(RepairCertificate, OfPetersonIsTight) {
  Certified sb1("peterson.dve", peterson, "sb1");
  expect_tight(sb1, 4);
  Certified others("peterson.dve", peterson, "tso,pso");
  expect_tight(others, 2);
  Certified together("peterson.dve", peterson, "tso,sb1");  // runs of both models
  together.options.together = true;
  expect_tight(together, 4);
  // Under pso a fence between flag and turn is needed too.
  for (const auto& [model, members] : {std::pair{"tso", 2}, {"pso", 4}}) {
    Certified fences("peterson.dve", peterson, model);
    fences.options.with = "both";
    fences.options.cost = "atomic=5,fence=1";
    expect_tight(fences, static_cast<std::size_t>(members));
  }
}

TEST(RepairCertificate, OfATemporalPropertyIsTight) {
  std::string text = peterson;
  const std::string assertion = "  assert critical: not P_1.critical;\n";
  text.erase(text.find(assertion), assertion.size());
  Certified question("temporal.dve", text, "sb1,tso");
  // Both are critical in the end: stutters at a state that mutual exclusion forbids.
  question.task.ltl.set({"G (P_0.critical -> (!P_1.critical U (P_0.idle || G !P_1.critical)))"});
  const Json whole = question.write();
  const std::string answer = question.check(whole);
  EXPECT_TRUE(holds(answer)) << answer;
  EXPECT_EQ(whole["repairs"][0]["set"].size(), 4U);
  EXPECT_EQ(whole["repairs"][1]["set"].size(), 2U);
  // The loop of a lasso is part of what is shown.
  for (std::size_t v = 0; v < whole["verdicts"].size(); ++v) {
    if (!whole["verdicts"][v]["trace"].contains("loop_start")) continue;
    Json changed = whole;
    changed["verdicts"][v]["trace"]["loop_start"] = 0;
    if (changed == whole) continue;
    EXPECT_SAYS(question.check(changed), "does not go wrong with everything but");
  }
  Json less = whole;
  less["repairs"][1]["constraints"].erase(0);
  EXPECT_SAYS(question.check(less), "no run shows that");
}

// Constraints that say less than they could leave room for a set that is as cheap, but not safe.
TEST(RepairCertificate, OfASetThatIsNotSafe) {
  const Certified question("peterson.dve", peterson, "tso");
  const Json whole = question.write();
  const Json& repair = whole["repairs"][0];
  std::size_t unsafe = 0;
  for (std::size_t c = 0; c < repair["constraints"].size(); ++c)
    for (std::uint32_t place = 0; place < repair["places"].size(); ++place) {
      auto places = repair["constraints"][c]["places"].get<std::vector<std::uint32_t>>();
      auto set = repair["set"].get<std::vector<std::uint32_t>>();
      if (std::ranges::binary_search(places, place) || std::ranges::binary_search(set, place)) continue;
      std::erase_if(set, [&](std::uint32_t p) { return std::ranges::binary_search(places, p); });
      set.insert(std::ranges::upper_bound(set, place), place);
      places.insert(std::ranges::upper_bound(places, place), place);
      Json changed = whole;
      changed["repairs"][0]["constraints"][c]["places"] = places;
      changed["repairs"][0]["set"] = set;
      const std::string answer = question.check(changed);
      EXPECT_FALSE(holds(answer)) << answer;
      if (answer.find("the program is not safe with the set: an assertion does not hold") != std::string::npos)
        ++unsafe;
    }
  EXPECT_GT(unsafe, 0U);
}

TEST(RepairCertificate, OfAnotherQuestion) {
  const Certified question("peterson.dve", peterson, "tso");
  const Json whole = question.write();
  EXPECT_SAYS(Certified("peterson.dve", peterson, "pso").check(whole), "this certificate is about tso");
  std::string other = peterson;
  other.replace(other.find("turn = 1"), 8, "turn = 0");
  EXPECT_SAYS(Certified("peterson.dve", other, "tso").check(whole), "UNKNOWN: the certificate does not hold");
  other = peterson;
  other.replace(other.find("effect flag[0] = 0;"), 19, "");
  EXPECT_SAYS(Certified("peterson.dve", other, "tso").check(whole), "flag P_0.4', which does not exist");
  Json named = whole;
  named["repairs"][0]["model"] = "sb1";
  EXPECT_FALSE(holds(Certified("peterson.dve", peterson, "sb1").check(named)));
  named["repairs"][0]["model"] = "x86";
  EXPECT_SAYS(Certified("peterson.dve", peterson, "tso").check(named), "there is no model 'x86'");
  Json beyond = whole;
  beyond["repairs"][0]["set"] = {1, 99};
  EXPECT_SAYS(question.check(beyond), "below the number of places");
  Json graph = whole;
  graph["verdicts"][0]["trace"]["execution"] = {{"threads", Json::array()}, {"events", Json::array()}};
  EXPECT_SAYS(question.check(graph), "does not go wrong with everything but");
  Json without = whole;
  without["repairs"][0]["constraints"][0]["run"] = 99;
  EXPECT_SAYS(question.check(without), "a constraint has no run");
  without = whole;
  without.erase("repairs");
  EXPECT_SAYS(question.check(without), "this is no certificate of a repair");
}

// States that no violation of another property is in prove nothing about robustness.
TEST(RepairCertificate, OfRobustness) {
  const char* const store_buffering = R"(int x, y;
active proctype P() { int r; store(x, 1); load(y, r) }
active proctype Q() { int r; store(y, 1); load(x, r) }
)";
  const Certified safe("robust.pml", store_buffering, "tso");
  Certified robust("robust.pml", store_buffering, "tso");
  robust.task.properties.set({"robust"});
  const Json whole = safe.write();
  EXPECT_TRUE(holds(safe.check(whole)));
  EXPECT_SAYS(robust.check(whole), "its states prove nothing about robustness");
  EXPECT_TRUE(holds(robust.check(robust.write())));
}

// A run that deadlocks shows nothing to who does not ask for deadlocks.
TEST(RepairCertificate, OfAViolationThatIsNotAskedFor) {
  const char* const text = R"(bit x, y, a, b;
active proctype P() { bit r; store(x, 1); load(y, r); if :: r == 0 -> store(a, 1); sync; load(b, 0) :: else fi }
active proctype Q() { bit r; store(y, 1); load(x, r); if :: r == 0 -> store(b, 1); sync; load(a, 0) :: else fi }
)";
  Certified deadlocks("waits.pml", text, "tso"), assertions("waits.pml", text, "tso");
  assertions.task.properties.set({"assertion"});
  const Json whole = deadlocks.write();
  EXPECT_TRUE(holds(deadlocks.check(whole)));
  EXPECT_SAYS(assertions.check(whole), "'deadlock', which is not asked for");
}

// With --all, the states of the certificate are those of the set that it is about.
TEST(RepairCertificate, OfOneSetOfAll) {
  Certified question("grows.dve", R"(int x = 0, y = 0;
process P { state a, b; init a; trans a -> b { effect x = 1; }, b -> a {}; }
process Q { state a, b; init a; trans a -> b { effect y = 1; }; }
system async;
)",
                     "tso");
  question.task.reach.set({"P.b and x == 0 and Q.b and y == 0"});
  question.options.all = true;
  const Json whole = question.write();
  question.options.all = false;
  const std::string answer = question.check(whole);
  EXPECT_TRUE(holds(answer)) << answer;
}

// What the runs of constraints say, by another way: the program with all other writes in a file for --atomic is wrong.
TEST(RepairCertificate, ConstraintsAgreeWithChecks) {
  for (const char* model : {"sb1", "tso", "pso"}) {
    const Certified question("peterson.dve", peterson, model);
    const Json whole = question.write();
    for (const Json& constraint : whole["repairs"][0]["constraints"]) {
      std::string file;
      for (std::uint32_t p = 0; p < whole["repairs"][0]["places"].size(); ++p) {
        const std::string name = whole["repairs"][0]["places"][p]["name"].get<std::string>();
        if (const auto rest = constraint["places"].get<std::vector<std::uint32_t>>();
            std::ranges::find(rest, p) == rest.end())
          file += name.substr(name.rfind(": ") + 2) + "\n";
      }
      drive::Task task = question.task;
      task.atomic_file.set(written("atomic.txt", file));
      core::Budget budget;
      const auto verdicts = drive::check(*drive::language_of(task.files.front()), task, budget);
      ASSERT_TRUE(verdicts);
      EXPECT_EQ(verdicts->front().outcome, core::Outcome::Unsafe) << model << "\n" << file;
    }
  }
}

TEST(RepairCertificate, OfBuffersWithoutABound) {
  Certified question("peterson.rmm", rmm_peterson, "tso");
  question.task.properties.set({"assertion"});
  expect_tight(question, 2);
  const Json whole = question.write();
  EXPECT_SAYS(question.check(whole), "proved by its states");
  Json changed = whole;
  std::string states = changed["repairs"][0]["states"].get<std::string>();
  ASSERT_FALSE(states.empty());
  const std::size_t last = states.rfind('\n', states.size() - 2);
  changed["repairs"][0]["states"] = states.substr(0, last + 1);
  EXPECT_SAYS(question.check(changed), "its states: ");
}

TEST(RepairCertificate, ThatNothingHelps) {
  // A fence stands before the store, and the store is what comes too late.
  Certified question("late.dve", R"(byte x;
process A { state a, b; init a; trans a -> b { effect x = 1; }; }
system async;
)",
                     "tso");
  question.task.reach.set({"A.b && x == 0"});
  question.options.with = "fence";
  const Json whole = question.write();
  EXPECT_SAYS(question.check(whole), "the certificate holds: no fence helps (1 run replayed)");
  Json less = whole;
  less["repairs"][0]["constraints"].erase(0);
  EXPECT_SAYS(question.check(less), "no run goes wrong whatever is changed");
  question.options.with = "atomic";
  expect_tight(question, 1);
}

TEST(RepairCertificate, OfAnyNumberOfProcesses) {
  expect_tight(Certified("mutex.cub", example("naive_mutex_unfenced.cub"), "tso,pso"), 1);
  const Certified question("lamport.cub", example("lamport_fast_unfenced.cub"), "tso");
  expect_tight(question, 2);
  const Json whole = question.write();
  EXPECT_SAYS(question.check(whole),
              "safe with 2 fences of 8 possible, and with no fewer (2 runs replayed, the set proved");
  EXPECT_SAYS(question.check(whole), "proved by its cubes");
  // The cubes are what makes the set safe: each of them is needed. Without any, the set is searched again.
  const Json states = Json::parse(whole["repairs"][0]["states"].get<std::string>());
  for (std::size_t i = 0; i < states["cubes"].size(); ++i) {
    Json fewer = states, changed = whole;
    fewer["cubes"].erase(i);
    changed["repairs"][0]["states"] = fewer.dump();
    EXPECT_SAYS(question.check(changed), "whether the program is safe with the set is not known");
  }
  Json changed = whole;
  changed["repairs"][0].erase("states");
  EXPECT_SAYS(question.check(changed), "the set searched again");
}

TEST(RepairCertificate, OfAnotherSystemOrModel) {
  const std::string mutex = example("naive_mutex_unfenced.cub");
  const Json whole = Certified("mutex.cub", mutex, "tso").write();
  const auto check = [&](const std::string& text, const Json& certificate) {
    return Certified("mutex.cub", text, "tso").check(certificate);
  };
  EXPECT_SAYS(Certified("mutex.cub", mutex, "pso").check(whole), "this certificate is about tso");
  EXPECT_SAYS(check(replaced(mutex, "transition enter", "transition go_in"), whole), "it does not have the place");
  EXPECT_SAYS(check(replaced(mutex, "Want && forall", "Want && fence() && forall"), whole),
              "run 1 does not go wrong with everything but");
  // With nothing read the fence is in vain: the run goes wrong, and the cubes prove nothing.
  EXPECT_SAYS(check(replaced(mutex, " && forall_other q. Flag[q] = False", ""), whole),
              "whether the program is safe with the set is not known");
  EXPECT_SAYS(check(replaced(mutex, "type place", "number_procs 1 type place"), whole),
              "the system has at most 1 process");
  EXPECT_SAYS(check(replaced(mutex, "At[p] = Crit && At[q] = Crit", "At[p] = Crit && At[q] = Crit && p = #4"), whole),
              "the system names process #4");
  // Runs of tso are runs of pso, but cubes that prove something of tso prove nothing of pso.
  Json other = whole;
  other["repairs"][0]["model"] = "pso";
  EXPECT_SAYS(Certified("mutex.cub", mutex, "pso").check(other), "a run under 'tso' shows nothing about pso");
  for (Json& verdict : other["verdicts"]) verdict["model"] = verdict["trace"]["model"] = "pso";
  EXPECT_SAYS(Certified("mutex.cub", mutex, "pso").check(other), "its cubes: ");
  for (const unsigned processes : {0U, 1U, 99U}) {
    Json changed = whole;
    changed["verdicts"][0]["trace"]["processes"] = processes;
    EXPECT_SAYS(check(mutex, changed), "run 1 does not go wrong with everything but");
  }
  // A system has no execution graphs: its run is what the steps say.
  Json graph = whole;
  graph["verdicts"][0]["trace"]["execution"] = {{"threads", Json::array()}, {"events", Json::array()}};
  EXPECT_TRUE(holds(check(mutex, graph)));
}

TEST(RepairCertificate, ThatNoFenceHelps) {
  const Certified question("x.cub", R"(
type l = A | B
array P[proc] : l
weak var X : bool
init (p) { P[p] = A && X = False }
unsafe (p q) { P[p] = B && P[q] = B }
transition go ([p]) requires { P[p] = A && X = False } { P[p] := B }
)",
                           "tso");
  const Json whole = question.write();
  EXPECT_SAYS(question.check(whole), "the certificate holds: no fence helps (1 run replayed)");
  Json less = whole;
  less["repairs"][0]["constraints"].erase(0);
  EXPECT_SAYS(question.check(less), "no run goes wrong whatever is changed");
}

// The certificate of a system holds, nothing can be taken from it, and what its runs show of instances is what an exploration
// of instances with buffers finds. Returns what `repairs` has; null if there is no certificate.
Json expect_sound(const std::string& text, const std::string& model) {
  Certified question("system.cub", text, model);
  question.max_states = 1000;
  drive::RepairOptions with;
  with.certificate = (tests::own_folder() / "system.json").string();
  fs::remove(with.certificate);
  const auto repairs = question.run(with);
  EXPECT_TRUE(repairs) << render(repairs.error());
  if (!repairs) return {};
  EXPECT_EQ(repairs->front().summary.find("internal error"), std::string::npos) << repairs->front().summary;
  if (!fs::exists(with.certificate)) return {};
  std::ifstream in(with.certificate);
  const Json whole = Json::parse(in);
  const std::string answer = question.check(whole);
  EXPECT_TRUE(holds(answer)) << answer;
  const Json& repair = whole["repairs"][0];
  const auto system = cubicle::parse(text, "system.cub");
  const auto all = repair::fence_places(*system);
  for (const Json& constraint : repair["constraints"]) {
    std::vector<std::size_t> others;
    const auto places = constraint["places"].get<std::vector<std::size_t>>();
    for (std::size_t i = 0; i < all.size(); ++i)
      if (std::ranges::find(places, i) == places.end()) others.push_back(all[i]);
    const auto fenced = cubicle::parse(repair::text_with_fences(*system, others), "fenced.cub");
    EXPECT_TRUE(fenced) << render(fenced.error());
    if (!fenced) continue;
    const auto processes = whole["verdicts"][constraint["run"].get<std::size_t>()]["trace"]["processes"];
    const check::CubicleMachine machine(*fenced, model, processes.get<unsigned>(), 4);
    const check::CubicleExploration seen = check::explore(machine, 2000);
    EXPECT_TRUE(seen.unsafe || !seen.complete) << constraint.dump();
  }
  for (const char* part : {"constraints", "set"})
    for (std::size_t i = 0; repair.contains(part) && i < repair[part].size(); ++i) {
      Json less = whole;
      less["repairs"][0][part].erase(i);
      EXPECT_FALSE(holds(question.check(less))) << part;
    }
  return repair;
}

TEST(RepairCertificate, OfSystems) {
  unsigned repaired = 0, hopeless = 0;
  const auto count = [&](const Json& repair) {
    if (repair.is_null()) return;
    if (repair.contains("hopeless")) ++hopeless;
    else if (!repair["set"].empty()) ++repaired;
  };
  for (const char* name : {"store_buffering", "message_passing", "two_plus_two_writes", "r", "s"})
    for (const char* model : {"tso", "pso"}) {
      SCOPED_TRACE(std::string(name) + " under " + model);
      count(expect_sound(example("../tests/regress/cub/" + std::string(name) + ".cub"), model));
    }
  EXPECT_GT(repaired, 3U);
  std::mt19937 random(29);
  for (unsigned i = 0; i < 12; ++i) {
    const std::string text = test::random_cubicle(random);
    SCOPED_TRACE(text);
    count(expect_sound(text, i % 2 == 0 ? "tso" : "pso"));
  }
  EXPECT_GT(hopeless, 3U);
}

TEST(RepairCertificate, OfC) {
  for (const auto& [model, members] : {std::pair{"lmo", 1}, {"rc11", 2}}) {
    Certified question("mailbox.c", mailbox, model);
    question.options.with = "atomic";
    expect_tight(question, static_cast<std::size_t>(members));
  }
  Certified together("mailbox.c", mailbox, "armv8,rc11");
  together.options.together = true;
  const Json whole = together.write();
  EXPECT_TRUE(holds(together.check(whole)));
  Json less = whole;
  less["repairs"][0]["constraints"].erase(0);
  EXPECT_SAYS(together.check(less), "no run shows that");
  Certified fences("mailbox.c", mailbox, "armv8");
  fences.options.with = "fence";
  EXPECT_SAYS(fences.check(whole), "which does not exist or may not be changed");
}

// Both threads may be in at once, and then for ever: lassos with points.
TEST(RepairCertificate, OfATemporalPropertyOfC) {
  const char* const doors = R"(#include <heddle.h>
#include <pthread.h>
#include <stdatomic.h>
atomic_int x, y;
void *left(void *unused) {
  atomic_store_explicit(&x, 1, memory_order_relaxed);
  if (!atomic_load_explicit(&y, memory_order_relaxed))
    for (;;) heddle_point("in0");
  return unused;
}
void *right(void *unused) {
  atomic_store_explicit(&y, 1, memory_order_relaxed);
  if (!atomic_load_explicit(&x, memory_order_relaxed))
    for (;;) heddle_point("in1");
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, left, 0);
  pthread_create(&b, 0, right, 0);
  pthread_exit(0);
}
)";
  for (const char* model : {"tso", "pso", "lmo", "nsw"})
    for (const char* with : {"atomic", "fence"}) {
      Certified question("doors.c", doors, model);
      question.task.ltl.set({"F G !in0 || F G !in1"});
      question.options.with = with;
      SCOPED_TRACE(std::string(model) + " " + with);
      expect_tight(question, 2);
      const Json whole = question.write();
      for (std::size_t v = 0; v < whole["verdicts"].size(); ++v) {
        ASSERT_TRUE(whole["verdicts"][v]["trace"].contains("loop_start"));
        Json changed = whole;
        changed["verdicts"][v]["trace"]["loop_start"] = 0;
        EXPECT_SAYS(question.check(changed), "does not go wrong with everything but");
      }
      Certified other("doors.c", doors, model);
      other.task.ltl.set({"F G !in0"});  // wrong under sc
      other.options.with = with;
      EXPECT_FALSE(holds(other.check(whole)));
    }
}

}  // namespace
}  // namespace heddle
