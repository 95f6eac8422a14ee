// Certificates of repairs: one that was written holds, and one from which anything was taken, or in which anything was
// put in another's place, does not, and says what is missing.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <sstream>

#include "drive/ladder.h"
#include "drive/repair.h"
#include "support/own_folder.h"

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

// A question, and what is done with its certificates.
class Certified {
 public:
  Certified(const std::string& name, const std::string& text, const std::string& models) {
    task.files = {written(name, text)};
    task.models.set(drive::split(models, ','));
  }

  drive::Task task;
  drive::RepairOptions options;

  support::Result<std::vector<drive::Repair>> run(const drive::RepairOptions& with) const {
    core::Budget budget;
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
  Json without = whole;
  without["repairs"][0]["constraints"][0]["run"] = 99;
  EXPECT_SAYS(question.check(without), "a constraint has no run");
  without = whole;
  without.erase("repairs");
  EXPECT_SAYS(question.check(without), "this is no certificate of a repair");
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

}  // namespace
}  // namespace heddle
