// SPDX-License-Identifier: Apache-2.0
#include "drive/languages.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "drive/load.h"

namespace heddle::drive {

namespace {

const std::vector<Language> known_languages = {
    {"C", ".c .i .cpp .cc .cxx .C .ii .ll .bc", "sc,tso,pso,lmo,nsw,rmo,ra,rc11,rc20,armv8,armv8.1,riscv,power",
     "sc,tso,pso,armv8,power,rc11", "sc,tso,pso,armv8,power,rc11", "graph explicit drf buffers ltl",
     "assertion memory leak deadlock livelock race liveness robust overflow",
     "--property --reach --ltl --automaton --fair --memory-fairness --replay --buffer --loop-bound --workers --por "
     "--symmetry --search --spurious-cas "
     "--malloc-may-fail "
     "--spurious-wakeups --uncaught --nondet --define --include --optimise --std --cflag --dot --certificate "
     "--check-certificate",
     "C and C++ by clang 19, and LLVM IR as text or bitcode; several files are linked", load_c, true},
    {"DVE", ".dve .mdve", "sc,tso,pso,sb1", "sc", "sc,tso,pso,sb1", "explicit buffers ltl graph", "assertion deadlock",
     "--property --invariant --reach --ltl --automaton --fair --memory-fairness --fairness --buffer --loop-bound "
     "--workers --por "
     "--search --define --atomic --dot --replay --certificate --check-certificate",
     "models of DiVinE and BEEM; .mdve goes through m4", load_dve},
    {"Promela", ".pml .pm", "sc,tso,pso,sb1", "sc", "sc,tso,pso", "explicit buffers ltl", "assertion deadlock robust",
     "--property --invariant --reach --ltl --automaton --fair --memory-fairness --fairness --buffer --workers --por "
     "--search "
     "--define --dot --replay --certificate "
     "--check-certificate",
     "models of SPIN, with store, load and sync for memory models; # lines go through the C preprocessor",
     load_promela},
    {"Memorax", ".rmm", "sc,tso,pso,sb1", "tso", "sc,tso,pso", "explicit buffers", "assertion deadlock robust",
     "--property --buffer --workers --por --search --dot --replay --certificate --check-certificate",
     "programs of Memorax: reads, writes, locked writes, compare-and-swap and fences", load_rmm},
    {"Cubicle", ".cub", "sc,tso,pso", "tso", "sc,tso,pso", "cubes explicit buffers", "",
     "--procs --buffer --workers --brab --certificate --check-certificate --replay",
     "array-based systems of any number of processes, as Cubicle and Cubicle-W read them", load_cubicle},
    {"litmus", ".litmus", "sc,tso,pso,nsw,rmo,ra,rc11,rc20,armv8,armv8.1,riscv,power", "tso,rc11,armv8,riscv,power",
     "sc,tso,pso,nsw,rmo,ra,rc11,rc20,armv8,armv8.1,riscv,power", "candidates graph explicit", "",
     "--workers --loop-bound --spurious-cas --table --explain --model-file",
     "litmus tests as herd7 reads them: C, X86, X86_64, AArch64, PPC, RISCV; files or folders", nullptr},
};

}  // namespace

std::span<const Language> languages() { return known_languages; }

const Language* language_of(std::string_view file) {
  const Language* best = nullptr;
  std::size_t longest = 0;
  for (const Language& language : known_languages)
    for (const std::string& extension : split(language.extensions, ' '))
      if (file.ends_with(extension) && extension.size() > longest) {
        best = &language;
        longest = extension.size();
      }
  return best;
}

std::vector<std::string> with_folders_opened(const std::vector<std::string>& files) {
  std::vector<std::string> result;
  for (const std::string& file : files) {
    std::error_code error;
    std::vector<std::string> inside;
    if (std::filesystem::is_directory(file, error))
      for (auto it = std::filesystem::recursive_directory_iterator(file, error);
           !error && it != std::filesystem::recursive_directory_iterator(); it.increment(error)) {
        // A link to nothing is kept: it is named when it cannot be read.
        const bool file_or_dangling =
            it->is_regular_file(error) || (it->is_symlink(error) && !std::filesystem::exists(it->path(), error));
        error.clear();
        const Language* language = file_or_dangling ? language_of(it->path().string()) : nullptr;
        if (language != nullptr && language->load == nullptr) inside.push_back(it->path().string());
      }
    std::sort(inside.begin(), inside.end());
    if (inside.empty()) inside.push_back(file);
    result.insert(result.end(), inside.begin(), inside.end());
  }
  return result;
}

std::vector<std::string> split(std::string_view list, char separator) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const std::size_t end = std::min(list.find(separator), list.size());
    if (end > 0) parts.emplace_back(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

support::Result<core::Properties> properties_of(const Task& task, const Language& language, core::Properties standard) {
  if (task.properties->empty()) return standard;
  const std::vector<std::string> known = split(language.properties, ' ');
  core::Properties asked;
  for (const std::string& name : *task.properties) {
    const core::PropertyRow* row = core::find_property(name);
    if (row == nullptr || std::ranges::find(known, name) == known.end())
      return support::Diagnostic{"", 0,
                                 0,  fmt::format("{} has no property '{}'", language.name, name),
                                 "", fmt::format("its properties are {}", fmt::join(known, ", "))};
    asked.list.push_back(row->property);
  }
  return asked;
}

}  // namespace heddle::drive
