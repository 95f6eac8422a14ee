// Of the regression files whose header marks the line of the violation, SARIF and JSON point to that line of that file,
// and the steps of the code flow are in the user's own files only.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include "support/places.h"

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// The marked lines of a file: those of "// expect sc… violated kind K at MARK", up to the first row `with`.
struct Marked {
  std::string kind;
  unsigned line = 0;
};
std::optional<Marked> marked(const fs::path& path) {
  std::ifstream in(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  for (const std::string& line : lines) {
    if (line.starts_with("// with") || line.starts_with("// options")) return std::nullopt;
    if (!line.starts_with("// expect") || line.find(" sc") == std::string::npos) continue;
    std::istringstream words(line);
    std::string word, kind, mark;
    while (words >> word) {
      if (word == "kind") words >> kind;
      if (word == "at") words >> mark;
    }
    if (kind.empty() || mark.empty()) continue;
    for (unsigned n = 0; n < lines.size(); ++n)
      if (lines[n].ends_with("// " + mark)) return Marked{kind, n + 1};
  }
  return std::nullopt;
}

TEST(Sarif, PointsToTheUsersLine) {
  if (!fs::exists(heddle::tests::binary_dir() + "/runtime/symbols.txt")) GTEST_SKIP() << "no runtime library";
  const std::string out = testing::TempDir() + fmt::format("place_{}", getpid());
  std::set<std::string> kinds;
  std::set<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(heddle::tests::source_dir() + "/tests/regress/c"))
    if (entry.path().extension() == ".c") files.insert(entry.path());
  for (const fs::path& file : files) {
    const auto expected = marked(file);
    if (!expected || !kinds.insert(expected->kind).second) continue;
    for (const char* engine : {"graph", "explicit"}) {
      SCOPED_TRACE(fmt::format("{} by {}", file.string(), engine));
      const std::string command =
          fmt::format("'{}/heddle' check '{}' --model sc --engine {} --sarif {}.sarif --json {}.json >/dev/null 2>&1",
                      heddle::tests::binary_dir(), file.string(), engine, out, out);
      const int status = std::system(command.c_str());
      ASSERT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1) << command;
      const Json sarif = Json::parse(std::ifstream(out + ".sarif")), json = Json::parse(std::ifstream(out + ".json"));
      const Json& result = sarif["runs"][0]["results"][0];
      const Json& place = result["locations"][0]["physicalLocation"];
      EXPECT_EQ(place["region"]["startLine"], expected->line) << result["message"];
      EXPECT_TRUE(place["artifactLocation"]["uri"].get<std::string>().ends_with(file.filename().string())) << place;
      EXPECT_EQ(json["verdicts"][0]["violation"]["place"]["line"], expected->line);
      for (const Json& step : result["codeFlows"][0]["threadFlows"][0]["locations"]) {
        const Json& at = step["location"]["physicalLocation"]["artifactLocation"]["uri"];
        EXPECT_TRUE(at.get<std::string>().ends_with(file.filename().string())) << at;
      }
    }
  }
  EXPECT_GE(kinds.size(), 8U);
  fs::remove(out + ".sarif");
  fs::remove(out + ".json");
}

}  // namespace
