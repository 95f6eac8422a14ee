// Names and sentences stay where they belong: no code outside the tables compares with the name of a model, an engine
// or a property, and no code reads a sentence back that other code wrote for people.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "core/property.h"
#include "drive/engine.h"
#include "models/models.h"
#include "support/places.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

struct Line {
  std::string file;  // below src/
  std::size_t number;
  std::string text;
};

std::vector<Line> sources() {
  std::vector<Line> lines;
  const fs::path root = tests::source_dir() + "/src";
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    if (entry.path().extension() != ".cpp" && entry.path().extension() != ".h") continue;
    std::ifstream stream(entry.path());
    std::size_t number = 0;
    for (std::string text; std::getline(stream, text);)
      lines.push_back({fs::relative(entry.path(), root).string(), ++number, text});
  }
  EXPECT_GT(lines.size(), 10'000U);
  return lines;
}

std::string alternatives(const std::set<std::string>& words) {
  std::string text;
  for (const std::string& word : words)
    text += (text.empty() ? "" : "|") + std::regex_replace(word, std::regex(R"(\.)"), "\\.");
  return text;
}

TEST(Names, nobody_compares_with_the_name_of_a_model_an_engine_or_a_property) {
  std::set<std::string> names;
  for (const models::Model& model : models::all()) names.insert(std::string(model.name));
  for (const drive::Engine& engine : drive::engines()) names.insert(std::string(engine.name));
  for (const core::PropertyRow& row : core::property_names()) names.insert(std::string(row.name));
  const std::string any = "\"(" + alternatives(names) + ")\"";
  const std::regex compares("([!=]=\\s*" + any + ")|(" + any + "\\s*[!=]=)");
  // A suffix of a RISC-V instruction, and words that C code calls functions of the checker by.
  const std::set<std::string> other_languages = {"lang/litmus/riscv.cpp", "vm/describe.cpp"};
  unsigned looked = 0;
  for (const Line& line : sources()) {
    if (other_languages.count(line.file) != 0) continue;
    ++looked;
    EXPECT_FALSE(std::regex_search(line.text, compares)) << line.file << ":" << line.number << ": " << line.text;
  }
  EXPECT_GT(looked, 10'000U);
  EXPECT_TRUE(std::regex_search(std::string("if (machine.name() == \"tso\")"), compares));
}

TEST(Names, nobody_reads_a_sentence_back) {
  const std::regex reads(
      R"((reason\.text|reason|violation|why|\.what\(\)|message|closing|action)\)?\.(find|starts_with|ends_with|contains|rfind|substr)\()");
  // Messages of m4 and of the JSON library, which have no other interface.
  const std::set<std::string> foreign = {"report/json.cpp", "lang/dve/m4.cpp"};
  for (const Line& line : sources())
    if (foreign.count(line.file) == 0) {
      EXPECT_FALSE(std::regex_search(line.text, reads)) << line.file << ":" << line.number << ": " << line.text;
    }
  EXPECT_TRUE(std::regex_search(std::string("if (verdict.reason.text.starts_with(\"time\"))"), reads));
}

}  // namespace
}  // namespace heddle
