// The DVE front end and the steps of ir/ against the counts of the BEEM corpus: states, edges and levels under
// interleaving, which DiVinE 2 and an independent interpreter agree on. By a plain search over std containers; the
// larger models are the engine's (beem_test).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "dve_space.h"
#include "lang/dve/dve.h"
#include "support/shared.h"

namespace heddle {

struct Row {
  std::string model, family, parameters;
  std::uint64_t states = 0, edges = 0, levels = 0;
};

// One line of a CSV file, with quotes.
std::vector<std::string> fields(const std::string& line) {
  std::vector<std::string> out(1);
  bool quoted = false;
  for (const char c : line) {
    if (c == '"') {
      quoted = !quoted;
    } else if (c == ',' && !quoted) {
      out.emplace_back();
    } else if (c != '\r') {
      out.back() += c;
    }
  }
  return out;
}

std::vector<Row> counts(const std::string& beem) {
  std::vector<Row> rows;
  std::ifstream in(beem + "/counts.csv");
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const auto f = fields(line);
    const auto number = [](const std::string& s) { return s.empty() ? 0 : std::stoull(s); };
    rows.push_back(
        {f[0], f[0].substr(0, f[0].rfind('.')), f.size() > 4 ? f[4] : "", number(f[1]), number(f[2]), number(f[3])});
  }
  return rows;
}

void expect_counts(const Row& row, const ir::Program& program) {
  const tests::Space space = tests::explore(program, row.states + 1000);
  EXPECT_EQ(space.states, row.states) << row.model;
  if (row.edges != 0) {
    EXPECT_EQ(space.edges, row.edges) << row.model;
  }
  if (row.levels != 0) {
    EXPECT_EQ(space.levels, row.levels) << row.model;
  }
}

void check_models(std::uint64_t least, std::uint64_t most) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  std::size_t checked = 0;
  for (const Row& row : counts(beem)) {
    const std::string path = beem + "/" + row.family + "/" + row.model + ".dve";
    if (row.states < least || row.states > most || !std::filesystem::exists(path)) continue;
    auto program = dve::load(path);
    ASSERT_TRUE(program) << render(program.error());
    expect_counts(row, *program);
    ++checked;
  }
  std::printf("%zu models\n", checked);
  EXPECT_GT(checked, 0U);
}

dve::Defines parameters(const std::string& text) {
  dve::Defines out;
  std::stringstream in(text);
  std::string item;
  while (std::getline(in, item, ',')) {
    item.erase(0, item.find_first_not_of(' '));
    const std::size_t at = item.find('=');
    if (at != std::string::npos) out.emplace_back(item.substr(0, at), item.substr(at + 1));
  }
  return out;
}

TEST(DveCorpus, every_model_parses) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  std::size_t parsed = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(beem)) {
    if (entry.path().extension() != ".dve") continue;
    const auto program = dve::load(entry.path());
    EXPECT_TRUE(program) << render(program.error());
    ++parsed;
  }
  EXPECT_GT(parsed, 100U);
}

TEST(DveCorpus, counts_of_small_models) { check_models(1, 100'000); }
TEST(DveCorpus, counts_of_middle_models_slow) { check_models(100'001, 1'000'000); }

// The m4 sources with the parameters of each instance; those that need the absent queue library name its macro.
TEST(DveCorpus, m4_sources) {
  const std::string beem = tests::shared("corpora/beem");
  if (beem.empty()) GTEST_SKIP() << "no corpora here";
  const std::set<std::string> queues{"cambridge", "elevator", "firewire_tree", "leader_election"};
  std::size_t checked = 0, refused = 0;
  for (const Row& row : counts(beem)) {
    const std::string path = beem + "/" + row.family + "/" + row.family + ".mdve";
    if (row.states > 100'000 || !std::filesystem::exists(path)) continue;
    const auto program = dve::load(path, {parameters(row.parameters), {}});
    if (!program) {
      EXPECT_NE(program.error().message.find("is not defined"), std::string::npos) << row.model << "\n"
                                                                                   << render(program.error());
      EXPECT_TRUE(queues.contains(row.family)) << row.model;
      ++refused;
      continue;
    }
    expect_counts(row, *program);
    ++checked;
  }
  std::printf("%zu instances, %zu refused\n", checked, refused);
}

}  // namespace heddle
