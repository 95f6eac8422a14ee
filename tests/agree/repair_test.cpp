// Smallest sets of atomic writes for DVE models: the computed rows of fences.csv with the number of sets, and random
// models against the check of all subsets. Every repair is safe, and unsafe without any one of its members.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <regex>
#include <set>

#include "check/ir_replay.h"
#include "explore/search.h"
#include "repair/ir_places.h"
#include "support/beem.h"
#include "support/ltl_dve.h"
#include "support/random_dve.h"
#include "support/shared.h"

namespace heddle {
namespace {

// What the repaired program must do: never reach the proposition nor (if asked) an error, or satisfy the formula.
struct Property {
  std::optional<std::uint32_t> never;
  bool errors = false;
  std::optional<tests::BoundFormula> formula;
};

class Repairer {
 public:
  Repairer(const ir::Program& program, std::string model, Property property)
      : property_(std::move(property)),
        places_(repair::ir_places(program)),
        repair_{program,
                places_,
                std::move(model),
                5,
                [this](const ir::Program& p) { return search(p); },
                [this](const ir::Program& p, const repair::WrongRun& run) { return goes_wrong(p, run); }} {}

  repair::Synthesis run() {
    return repair::synthesise(std::vector<std::uint64_t>(places_.size(), 1),
                              [this](const repair::Elements& c) { return repair::check_candidate(repair_, c); },
                              {.all = true, .start = {}});
  }
  bool safe(const repair::Elements& chosen) {
    return search(repair::strengthened(repair_.program, places_, chosen)).kind == repair::Answer::Kind::Safe;
  }
  const std::vector<repair::IrPlace>& places() const { return places_; }
  std::set<std::string> names(const repair::Elements& chosen) const {
    std::set<std::string> out;
    for (const std::uint32_t i : chosen) out.insert(places_[i].name);
    return out;
  }

 private:
  repair::IrAnswer search(const ir::Program& program) {
    repair::IrAnswer answer;
    core::Budget budget;
    if (property_.formula) {
      const auto found =
          tests::find_violation(program, *property_.formula, repair_.model.c_str(), repair_.buffer_bound);
      answer.kind = found.lasso ? repair::Answer::Kind::Unsafe : repair::Answer::Kind::Safe;
      if (found.lasso) answer.run = {found.lasso->stem, found.lasso->loop};
      return answer;
    }
    const ir::System system(program, *models::machine(repair_.model),
                            {.buffer_bound = repair_.buffer_bound, .visible = {*property_.never}});
    explore::SearchOptions options;
    options.reduction = core::Reduction::Safety;
    options.parents = true;
    options.workers = 2;
    options.errors = property_.errors;
    options.goals = {{*property_.never, true}};
    const auto found = explore::search(system, options, budget);
    EXPECT_FALSE(found.stopped);
    answer.kind = found.found ? repair::Answer::Kind::Unsafe : repair::Answer::Kind::Safe;
    if (found.found) answer.run.moves = found.found->moves;
    return answer;
  }

  bool goes_wrong(const ir::Program& program, const repair::WrongRun& run) {
    if (property_.formula)
      return check::replay_lasso(program, repair_.model, repair_.buffer_bound, run.moves, run.loop,
                                 {.formula = &property_.formula->sentence,
                                  .propositions = property_.formula->propositions,
                                  .errors = false})
          .confirmed;
    const auto is_so = [&](const core::Claim& claim) {
      return check::replay(program, repair_.model, repair_.buffer_bound, run.moves, claim).confirmed;
    };
    return is_so({core::StateProposition{*property_.never, true}}) || (property_.errors && is_so({core::Assertion{}}));
  }

  Property property_;
  std::vector<repair::IrPlace> places_;
  repair::IrRepair repair_;
};

// "pos P_i.2 step P_i.3 and one of y P_i.13 b P_i.14", for every process: its places, as sets of alternatives.
std::vector<std::set<std::string>> expected_members(const std::string& members, int processes) {
  std::vector<std::set<std::string>> out;
  const std::size_t one_of = members.find(" and one of ");
  const auto places = [](const std::string& text, int i) {
    std::vector<std::string> list;
    const std::regex place("(\\w+) P_i\\.(\\d+)");
    for (std::sregex_iterator at(text.begin(), text.end(), place), end; at != end; ++at)
      list.push_back((*at)[1].str() + " P_" + std::to_string(i) + "." + (*at)[2].str());
    return list;
  };
  for (int i = 0; i < processes; ++i) {
    for (const std::string& name : places(members.substr(0, one_of), i)) out.push_back({name});
    if (one_of == std::string::npos) continue;
    const auto list = places(members.substr(one_of), i);
    out.emplace_back(list.begin(), list.end());
  }
  return out;
}

std::set<repair::Elements> as_set(const std::vector<repair::Elements>& all) { return {all.begin(), all.end()}; }

// The safe sets with the fewest places, by a check of every set; none if there is no safe one.
std::set<repair::Elements> smallest_by_all_subsets(Repairer& repairer) {
  const auto n = static_cast<unsigned>(repairer.places().size());
  std::set<repair::Elements> smallest;
  std::size_t size = n + 1;
  for (std::uint32_t bits = 0; bits < 1U << n; ++bits) {
    repair::Elements chosen;
    for (std::uint32_t e = 0; e < n; ++e)
      if ((bits >> e & 1) != 0) chosen.push_back(e);
    if (chosen.size() > size || !repairer.safe(chosen)) continue;
    if (chosen.size() < size) smallest.clear();
    size = chosen.size();
    smallest.insert(chosen);
  }
  return smallest;
}

void check_row(const std::string& beem, const std::vector<std::string>& row) {
  SCOPED_TRACE(row[0] + " " + row[2]);
  std::smatch parts;
  ASSERT_TRUE(std::regex_match(row[0], parts, std::regex("BEEM (\\w+)(?:\\.1)? \\(?N=(\\d)\\)? (.*)")));
  const std::string family = parts[1], what = parts[3];
  const int processes = std::stoi(row[1]);
  auto program = dve::load(beem + "/" + family + "/" + family + ".mdve", {{{"N", parts[2]}}, {}});
  ASSERT_TRUE(program);
  Property property;
  if (what.starts_with("G !collision")) {
    std::string collision;
    for (int i = 0; i < processes; ++i) collision += (i == 0 ? "P_" : " + P_") + std::to_string(i) + ".CS";
    const auto p = dve::add_proposition(*program, collision + " > 1", "row");
    ASSERT_TRUE(p);
    property.never = *p;
    property.errors = what.find("run-time error") != std::string::npos;
  } else {
    property.formula = tests::bind(*program, "G ((P_0.p1 or P_0.p2 or P_0.p3) -> F P_0.CS)");
    ASSERT_TRUE(property.formula);
  }
  EXPECT_TRUE(Repairer(*program, "sc", property).safe({}));
  const core::Budget clock;
  Repairer repairer(*program, row[2], std::move(property));
  EXPECT_EQ(repairer.places().size(), std::stoul(row[4]));
  const auto found = repairer.run();
  ASSERT_EQ(found.outcome, repair::Synthesis::Outcome::Repaired) << found.reason.text;
  EXPECT_EQ(found.cost, std::stoul(row[5]));
  if (!row[6].empty()) {
    EXPECT_EQ(found.all.size(), std::stoul(row[6]));
  }
  for (const auto& chosen : found.all) {
    const auto names = repairer.names(chosen);
    for (const auto& alternatives : expected_members(row[7], processes))
      EXPECT_TRUE(std::ranges::any_of(alternatives, [&](const std::string& n) { return names.contains(n); }))
          << *alternatives.begin();
  }
  if (repairer.places().size() <= 8) {
    EXPECT_EQ(smallest_by_all_subsets(repairer), as_set(found.all));
  }
  for (const std::uint32_t member : found.chosen) {
    repair::Elements less = found.chosen;
    std::erase(less, member);
    EXPECT_FALSE(repairer.safe(less)) << repairer.places()[member].name;
  }
  std::printf("%s, %s: %llu of %zu, %zu sets, %u checks, %.2f s\n", row[0].c_str(), row[2].c_str(),
              static_cast<unsigned long long>(found.cost), repairer.places().size(), found.all.size(), found.checks,
              clock.elapsed());
}

void check_rows(const std::function<bool(const std::vector<std::string>&)>& wanted) {
  const std::string beem = tests::shared("corpora/beem"), table = tests::shared("ground-truth/fences.csv");
  if (beem.empty() || table.empty()) GTEST_SKIP() << "no corpora here";
  int checked = 0;
  for (const auto& row : tests::csv_rows(table))
    if (row.size() > 7 && row[0].starts_with("BEEM") && row[3] == "atomic" && wanted(row)) {
      check_row(beem, row);
      ++checked;
    }
  EXPECT_GT(checked, 0);
}

TEST(Repair, TwoProcesses) {
  check_rows([](const auto& row) { return row[1] == "2"; });
}
TEST(Repair, ThreeProcesses_slow) {
  check_rows([](const auto& row) { return row[1] == "3"; });
}

void random_models(std::uint64_t seed, int count) {
  tests::RandomDve models(seed);
  int repaired = 0, hopeless = 0;
  for (int i = 0; i < count; ++i) {
    const tests::RandomModel model = models.next();
    SCOPED_TRACE(model.text + model.atomic + model.proposition);
    auto program = dve::load_text(model.text, "random.dve", model.atomic);
    ASSERT_TRUE(program);
    const auto never = dve::add_proposition(*program, model.proposition, "never");
    ASSERT_TRUE(never);
    for (const char* name : {"tso", "pso", "sb1"}) {
      Property property{*never, false, std::nullopt};
      if (i % 3 == 0) property.formula = tests::bind(*program, i % 2 == 0 ? "F P1.s1" : "G (P0.s1 -> F P1.s1)");
      Repairer repairer(*program, name, property);
      const auto n = static_cast<unsigned>(repairer.places().size());
      const auto atoms = property.formula ? property.formula->propositions : std::vector<std::uint32_t>{};
      if (n > 6 || repair::not_monotone(*program, repairer.places(), atoms, false)) continue;
      const auto found = repairer.run();
      const auto smallest = smallest_by_all_subsets(repairer);
      if (smallest.empty()) {
        ++hopeless;
        EXPECT_EQ(found.outcome, repair::Synthesis::Outcome::Hopeless) << name;
        continue;
      }
      ASSERT_EQ(found.outcome, repair::Synthesis::Outcome::Repaired) << name;
      EXPECT_EQ(as_set(found.all), smallest) << name;
      repaired += !smallest.begin()->empty();
    }
  }
  std::printf("%d repaired, %d hopeless\n", repaired, hopeless);
  EXPECT_GT(repaired, 0);
}

TEST(Repair, RandomModelsAgreeWithAllSubsets) { random_models(31, 60); }
TEST(Repair, RandomModelsAgreeWithAllSubsets_slow) { random_models(32, 1000); }

}  // namespace
}  // namespace heddle
