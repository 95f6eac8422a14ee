// Every litmus test of the corpus against the answer of the reference model of its dialect (expected.csv).
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "lang/litmus/parse.h"
#include "lang/litmus/run.h"
#include "support/shared.h"

namespace {

using namespace heddle;

struct Row {
  std::string file, model;
  bool holds;
};

std::vector<Row> rows(const std::string& folder, const std::string& prefix) {
  std::ifstream in(folder + "/expected.csv");
  std::vector<Row> result;
  std::string line;
  std::getline(in, line);
  while (std::getline(in, line)) {
    const auto last = line.rfind(','), middle = line.rfind(',', last - 1);
    Row r{line.substr(0, middle), line.substr(middle + 1, last - middle - 1), line.substr(last + 1, 3) == "yes"};
    if (r.file.starts_with(prefix)) result.push_back(r);
  }
  return result;
}

// Every test must have the expected answer; none may be refused.
void agree(const std::string& prefix, std::size_t at_least) {
  const std::string folder = tests::shared("corpora/litmus");
  if (folder.empty()) GTEST_SKIP() << "the litmus corpus is not beside the checkout";
  std::size_t right = 0, wrong = 0, refused = 0;
  for (const Row& row : rows(folder, prefix)) {
    const auto test = lang::litmus::read_test(folder + "/" + row.file);
    if (!test) {
      ++refused;
      ADD_FAILURE() << support::render(test.error());
      continue;
    }
    const lang::litmus::ModelChoice model{row.model, axioms::find_model(row.model), nullptr};
    const auto results = lang::litmus::run_test(*test, {&model, 1}, {});
    if (!results[0].refusal.text.empty()) {
      ++refused;
      ADD_FAILURE() << row.file << ": " << results[0].refusal.text;
    } else if (results[0].condition_holds(*test) == row.holds) {
      ++right;
    } else {
      ++wrong;
      ADD_FAILURE() << row.file << " under " << row.model << ": expected " << (row.holds ? "yes" : "no")
                    << ", positive " << results[0].positive << " negative " << results[0].negative;
    }
  }
  std::cout << prefix << ": " << right << " right, " << wrong << " wrong, " << refused << " refused\n";
  EXPECT_GE(right + wrong + refused, at_least);
}

}  // namespace

TEST(LitmusCorpus, X86) { agree("X86/", 246); }
TEST(LitmusCorpus, C11) { agree("C11/", 61); }
TEST(LitmusCorpus, PPC) { agree("PPC/", 600); }
TEST(LitmusCorpus, RISCV) { agree("RISCV/", 500); }
TEST(LitmusCorpus, AArch64) {
  for (const char* part : {"ATOM", "CO", "EXTRA", "Fence2", "FenceLA", "HAND/", "HAND2", "LD", "POPL16", "PPO", "RPLUS",
                           "RelAcq", "SYS", "TUTO", "dart"})
    agree(std::string("AARCH64/") + part, 1);
}
TEST(LitmusCorpus, AArch64MixedSizes) { agree("AARCH64/mixed", 434); }
