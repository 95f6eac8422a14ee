// What the docs show can be run: every ```console block of README.md, CONTRIBUTING.md and docs/ is executed with the
// built heddle, from the root of the tree, and its output compared.
//
// A line `$ ./x run ARGUMENTS` runs heddle; the lines up to the next `$` are what it prints (standard output, then
// standard error); `$ echo $?` shows its exit code; a line `...` stands for any number of lines. Times, rates and sizes
// of memory may differ. Blocks with other commands belong into ```sh.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include "cli/options.h"
#include "models/models.h"
#include "support/places.h"

namespace {

namespace fs = std::filesystem;

struct Example {
  std::string file;
  unsigned line = 0;
  std::string command;
  std::vector<std::string> expected;
};

std::vector<fs::path> documents() {
  const fs::path root = heddle::tests::source_dir();
  std::vector<fs::path> files = {root / "README.md", root / "CONTRIBUTING.md"};
  for (const auto& entry : fs::recursive_directory_iterator(root / "docs"))
    if (entry.path().extension() == ".md") files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::vector<Example> examples() {
  std::vector<Example> result;
  for (const fs::path& path : documents()) {
    std::ifstream stream(path);
    unsigned number = 0;
    bool inside = false, fresh = false;
    for (std::string line; std::getline(stream, line);) {
      ++number;
      if (line.starts_with("```")) {
        inside = line == "```console";
        fresh = inside;
        continue;
      }
      if (!inside) continue;
      if (line.starts_with("$ ")) {
        result.push_back({path.string(), number, line.substr(2), {}});
        fresh = false;
      } else if (fresh) {
        ADD_FAILURE() << path << ":" << number << ": a console block begins with its command";
      } else {
        result.back().expected.push_back(line);
      }
    }
  }
  return result;
}

// What may differ from run to run, replaced by what it is.
std::string steady(std::string line) {
  static const std::regex times(R"(\d+(\.\d+)? (s|ms)\b)");
  static const std::regex herd_times(R"(^(Time \S+) \d+\.\d+)");
  static const std::regex rates(R"(\d[\d,.]*[kM]? (states|executions)/s)");
  static const std::regex sizes(R"(\d[\d,.]* (bytes|[KMGT]B)\b)");
  line = std::regex_replace(line, times, "<time>");
  line = std::regex_replace(line, herd_times, "$1 <time>");
  line = std::regex_replace(line, rates, "<rate>");
  line = std::regex_replace(line, sizes, "<size>");
  line.erase(line.find_last_not_of(' ') + 1);
  return line;
}

bool matches(const std::vector<std::string>& expected, std::size_t i, const std::vector<std::string>& got,
             std::size_t j) {
  if (i == expected.size()) return j == got.size();
  if (expected[i] == "...") {
    for (std::size_t k = j; k <= got.size(); ++k)
      if (matches(expected, i + 1, got, k)) return true;
    return false;
  }
  return j < got.size() && steady(expected[i]) == steady(got[j]) && matches(expected, i + 1, got, j + 1);
}

struct Output {
  std::vector<std::string> lines;
  int code = -1;
};

Output run(const std::string& arguments) {
  const std::string command = std::string("cd '") + heddle::tests::source_dir() + "' && '" +
                              heddle::tests::binary_dir() + "/heddle' " + arguments + " 2>&1 </dev/null";
  Output output;
  FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return output;
  std::string text;
  char buffer[4096];
  for (std::size_t n = 0; (n = fread(buffer, 1, sizeof buffer, pipe)) > 0;) text.append(buffer, n);
  const int status = pclose(pipe);
  output.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) output.lines.push_back(line);
  return output;
}

TEST(Docs, commands_print_what_the_docs_show) {
  const std::vector<Example> all = examples();
  EXPECT_FALSE(all.empty());
  int last_code = -1;
  for (Example example : all) {
    SCOPED_TRACE(example.file + ":" + std::to_string(example.line) + ": " + example.command);
    while (!example.expected.empty() && example.expected.back().empty()) example.expected.pop_back();
    if (example.command == "echo $?") {
      EXPECT_EQ(example.expected, std::vector<std::string>{std::to_string(last_code)});
      continue;
    }
    ASSERT_TRUE(example.command.starts_with("./x run ")) << "only ./x run … may stand in a console block";
    Output output = run(example.command.substr(8));
    last_code = output.code;
    while (!output.lines.empty() && output.lines.back().empty()) output.lines.pop_back();
    std::string shown;
    for (const std::string& line : output.lines) shown += line + "\n";
    EXPECT_TRUE(matches(example.expected, 0, output.lines, 0)) << "it prints now:\n" << shown;
  }
}

TEST(Docs, links_to_files_lead_somewhere) {
  const std::regex link(R"(\]\(([^)#:]+)(#[^)]*)?\))");
  for (const fs::path& path : documents()) {
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);)
      for (std::sregex_iterator match(line.begin(), line.end(), link), end; match != end; ++match)
        EXPECT_TRUE(fs::exists(path.parent_path() / (*match)[1].str())) << path << ": " << (*match)[1];
  }
}

// All words of a text with one blank between them, so that line breaks do not matter.
std::string words_of(std::istream& in) {
  std::string all = " ";
  for (std::string word; in >> word;) all += word + " ";
  return all;
}
std::string words_of(const std::string& text) {
  std::istringstream in(text);
  return words_of(in);
}

TEST(Docs, every_option_of_check_is_explained_in_its_help) {
  const Output help = run("check --help");
  EXPECT_EQ(help.code, 0);
  std::string text;
  for (const std::string& line : help.lines) text += line + "\n";
  const std::string said = words_of(text);
  EXPECT_FALSE(heddle::cli::check_options().empty());
  for (const heddle::cli::Option& option : heddle::cli::check_options()) {
    EXPECT_GT(std::string(option.help).size(), 10u) << option.name;
    EXPECT_NE(said.find(words_of(std::string(option.help))), std::string::npos) << option.name << " is not explained";
    EXPECT_NE(text.find(option.name), std::string::npos) << option.name << " is not named";
  }
}

TEST(Docs, every_model_is_defined) {
  std::ifstream stream(heddle::tests::source_dir() + "/docs/models.md");
  const std::string text((std::istreambuf_iterator<char>(stream)), {});
  for (const heddle::models::Model& model : heddle::models::all())
    EXPECT_NE(text.find("| `" + std::string(model.name) + "` |"), std::string::npos) << model.name;
}

// An option that a document names in backticks is one of heddle's.
TEST(Docs, options_that_the_docs_name_exist) {
  std::string known;
  for (const char* command : {"check --help", "repair --help", "relax --help", "generate --help", "ltl --help",
                              "hardware --help", "models --help", "languages --help"})
    for (const std::string& line : run(command).lines) known += line + "\n";
  const std::regex mention(R"(`(--[a-z][a-z-]+)[^`]*`)");
  unsigned seen = 0;
  for (const fs::path& path : documents()) {
    if (path.parent_path().filename() != "docs") continue;
    std::ifstream stream(path);
    for (std::string line; std::getline(stream, line);)
      for (std::sregex_iterator match(line.begin(), line.end(), mention), end; match != end; ++match, ++seen)
        EXPECT_NE(known.find((*match)[1].str()), std::string::npos) << path << ": " << (*match)[1];
  }
  EXPECT_GT(seen, 30u);
}

}  // namespace
