// SPIN as an oracle: what `pan` says about a model, without reduction, merging of statements or removal of dead
// variables, so that its states are those of the language.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <sstream>
#include <string>

namespace heddle::tests {

struct Pan {
  std::uint64_t stored = 0;
  std::uint64_t errors = 0;
  bool error = false;        // an assertion, an index, a blocked d_step
  bool invalid_end = false;  // a deadlock
  std::string output;
};

inline bool spin_installed() { return std::system("command -v spin >/dev/null && command -v gcc >/dev/null") == 0; }

// Runs spin, gcc and pan on a text in a folder of its own. `options` are pan's, `kind` the compiler's: -DSAFETY makes a
// pan that knows no infinite runs, -DNFAIR=3 one with -f (weak fairness). Nothing comes back where pan takes more than
// `seconds` of processor time: inside an atomic section it remembers no states, and goes through all paths.
inline std::optional<Pan> run_pan(const std::string& text, const std::string& options = "-c0 -m1000000",
                                  const std::string& kind = "-DSAFETY", unsigned seconds = 600) {
  namespace fs = std::filesystem;
  std::string pattern = (fs::temp_directory_path() / "heddle-spin-XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) return std::nullopt;
  const fs::path folder = pattern;
  std::ofstream(folder / "model.pml") << text;
  const std::string command = "cd " + folder.string() +
                              " && spin -a -o1 -o2 -o3 -o5 -o6 model.pml >spin.txt 2>&1"
                              " && gcc -w -O1 -DNOREDUCE " +
                              kind + " -DMEMLIM=2000 -o pan pan.c >gcc.txt 2>&1 && ulimit -t " +
                              std::to_string(seconds) + " && ./pan " + options + " >pan.txt 2>&1";
  Pan pan;
  const int status = std::system(command.c_str());
  std::ostringstream out;
  out << std::ifstream(folder / (fs::exists(folder / "pan.txt") ? "pan.txt" : "spin.txt")).rdbuf();
  pan.output = out.str();
  std::error_code ignored;
  fs::remove_all(folder, ignored);
  if (status == -1) return std::nullopt;
  const auto number_before = [&](const std::string& what) -> std::optional<std::uint64_t> {
    const std::size_t at = pan.output.find(what);
    if (at == std::string::npos) return std::nullopt;
    const std::size_t line = pan.output.rfind('\n', at) + 1;
    return std::strtoull(pan.output.c_str() + line, nullptr, 10);
  };
  const auto stored = number_before(" states, stored");
  if (!stored) return std::nullopt;
  pan.stored = *stored;
  const std::size_t errors = pan.output.find("errors: ");
  if (errors != std::string::npos) pan.errors = std::strtoull(pan.output.c_str() + errors + 8, nullptr, 10);
  const auto says = [&](const char* what) { return pan.output.find(what) != std::string::npos; };
  pan.error = says("pan:1: assertion violated") || says("block in d_step") || says("invalid array index");
  pan.invalid_end = says("pan:1: invalid end state");
  return pan;
}

}  // namespace heddle::tests
