// The rules that hold for every file of src/: includes go downward as src/LAYERS says, third-party headers stay in
// their folder, headers open with their purpose, and no file grows past 800 lines without saying why.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>
#include "support/places.h"

namespace {

namespace fs = std::filesystem;

const fs::path root = fs::path(heddle::tests::source_dir());

// folder -> the folders whose headers it may use
std::map<std::string, std::set<std::string>> layers() {
  std::map<std::string, std::set<std::string>> result;
  std::ifstream file(root / "src/LAYERS");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::size_t colon = line.find(':');
    EXPECT_NE(colon, std::string::npos) << line;
    std::istringstream uses(line.substr(colon + 1));
    std::set<std::string>& list = result[line.substr(0, colon)];
    for (std::string use; uses >> use;) list.insert(use);
  }
  return result;
}

std::vector<fs::path> sources(const fs::path& folder) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(folder))
    if (entry.path().extension() == ".h" || entry.path().extension() == ".cpp") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<std::string> lines(const fs::path& path) {
  std::vector<std::string> result;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) result.push_back(line);
  return result;
}

std::string folder_of(const fs::path& file) { return fs::relative(file.parent_path(), root / "src").string(); }

TEST(Layers, each_folder_may_use_only_folders_above_it_in_the_list) {
  std::set<std::string> seen;
  std::ifstream file(root / "src/LAYERS");
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const std::string folder = line.substr(0, line.find(':'));
    std::istringstream uses(line.substr(line.find(':') + 1));
    for (std::string use; uses >> use;)
      EXPECT_TRUE(seen.count(use)) << folder << " uses " << use << ", which stands below it";
    EXPECT_TRUE(seen.insert(folder).second) << folder << " stands twice";
  }
}

TEST(Layers, includes_are_as_the_list_says) {
  const auto allowed = layers();
  const std::regex include(R"(^\s*#\s*include\s*\"([^\"]+)\")");
  std::size_t checked = 0;
  for (const fs::path& path : sources(root / "src")) {
    const std::string folder = folder_of(path);
    ASSERT_TRUE(allowed.count(folder)) << folder << " has no line in src/LAYERS";
    unsigned number = 0;
    for (const std::string& line : lines(path)) {
      ++number;
      std::smatch match;
      if (!std::regex_search(line, match, include)) continue;
      const std::string target = match[1];
      const std::string used = fs::path(target).parent_path().string();
      ++checked;
      EXPECT_TRUE(fs::exists(root / "src" / target))
          << path << ":" << number << ": " << target << " is not written from src/";
      EXPECT_TRUE(used == folder || allowed.at(folder).count(used))
          << path << ":" << number << ": " << folder << " may not include " << used;
    }
  }
  EXPECT_GT(checked, 20u);
}

TEST(Layers, third_party_headers_stay_in_their_folder) {
  const std::vector<std::pair<std::string, std::string>> owners = {
      {"<llvm", "lang/llvm"}, {"<clang", "lang/llvm"}, {"<z3", "logic"}, {"<CLI/", "cli"}, {"<histedit", "cli"}};
  for (const fs::path& path : sources(root / "src"))
    for (const std::string& line : lines(path)) {
      if (line.find("#include <") == std::string::npos) continue;
      for (const auto& [header, owner] : owners) {
        if (line.find(header) == std::string::npos) continue;
        EXPECT_EQ(folder_of(path), owner) << path << ": " << line;
      }
    }
}

TEST(Layers, headers_open_with_their_purpose_and_every_file_with_its_licence) {
  for (const fs::path& path : sources(root / "src")) {
    const std::vector<std::string> text = lines(path);
    ASSERT_FALSE(text.empty()) << path;
    const auto licence = std::find(text.begin(), text.end(), "// SPDX-License-Identifier: Apache-2.0");
    EXPECT_NE(licence, text.end()) << path << " has no licence line";
    // The comment block at the top holds the licence, and in a header some words before it.
    for (auto line = text.begin(); line != licence && line != text.end(); ++line)
      EXPECT_TRUE(line->starts_with("//")) << path << ": the licence does not stand in the comment at the top";
    if (path.extension() != ".h") continue;
    EXPECT_TRUE(text[0].starts_with("// ") && text[0].size() > 20 && !text[0].starts_with("// SPDX"))
        << path << " does not open with its purpose";
    EXPECT_NE(std::find(text.begin(), text.end(), "#pragma once"), text.end()) << path;
  }
}

TEST(Layers, files_hold_one_idea) {
  for (const char* folder : {"src", "tests", "bench"}) {
    if (!fs::exists(root / folder)) continue;
    for (const fs::path& path : sources(root / folder)) {
      const std::vector<std::string> text = lines(path);
      if (text.size() <= 800) continue;
      const auto top = std::find_if(text.begin(), text.begin() + 20, [](const std::string& line) {
        return line.starts_with("//") && line.find("one file because") != std::string::npos;
      });
      EXPECT_NE(top, text.begin() + 20) << path << " has " << text.size()
                                        << " lines and does not say why (\"one file because …\")";
    }
  }
}

TEST(Layers, nothing_is_registered_by_static_constructors) {
  const std::regex registration(R"(^\s*static\s+(const\s+)?(bool|int)\s+\w*regist\w*\s*=)", std::regex::icase);
  for (const fs::path& path : sources(root / "src"))
    for (const std::string& line : lines(path))
      EXPECT_FALSE(std::regex_search(line, registration)) << path << ": " << line;
}

}  // namespace
