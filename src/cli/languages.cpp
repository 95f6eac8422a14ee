// SPDX-License-Identifier: Apache-2.0
#include "cli/languages.h"

#include <algorithm>
#include <vector>

namespace heddle::cli {

// Each checker lives in check_<language>.cpp; its declaration stands here, beside the only place that uses it:
support::Result<std::vector<core::Verdict>> check_c(const CheckRequest&, core::Budget&);
support::Result<std::vector<core::Verdict>> check_dve(const CheckRequest&, core::Budget&);
support::Result<std::vector<core::Verdict>> check_cubicle(const CheckRequest&, core::Budget&);
int run_litmus(const CheckRequest&, core::Budget&);

namespace {

const std::vector<Language> table = {
    {"C", ".c .i .ll .bc", check_c, "sc,tso,pso,lmo,nsw,rmo,ra,rc11,rc20,armv8,armv8.1,riscv,power",
     "sc,tso,pso,armv8,power,rc11", "sc,tso,pso,armv8,power,rc11", "graph explicit",
     "--property --reach --replay --buffer --loop-bound --workers --por --symmetry --search --spurious-cas "
     "--malloc-may-fail "
     "--spurious-wakeups --nondet --define --include --optimise --std --cflag --dot",
     "C by clang 19, and LLVM IR as text or bitcode; several files are linked"},
    {"DVE", ".dve .mdve", check_dve, "sc,tso,pso,sb1", "sc", "sc,tso,pso,sb1", "explicit",
     "--property --invariant --reach --buffer --workers --por --search --define --atomic --dot --replay",
     "models of DiVinE and BEEM; .mdve goes through m4"},
    {"Cubicle", ".cub", check_cubicle, "sc,tso,pso", "tso", "sc,tso,pso", "cubes explicit",
     "--procs --buffer --workers --brab --certificate --check-certificate --replay",
     "array-based systems of any number of processes, as Cubicle and Cubicle-W read them"},
    {"litmus", ".litmus", nullptr, "sc,tso,pso,nsw,rmo,ra,rc11,rc20,armv8,armv8.1,riscv,power",
     "tso,rc11,armv8,riscv,power", "sc,tso,pso,nsw,rmo,ra,rc11,rc20,armv8,armv8.1,riscv,power", "candidates",
     "--workers --loop-bound --spurious-cas --table --explain --model-file",
     "litmus tests as herd7 reads them: C, X86, X86_64, AArch64, PPC, RISCV; files or folders", run_litmus},
};

}  // namespace

std::span<const Language> languages() { return table; }

const Language* language_of(std::string_view file) {
  const Language* best = nullptr;
  std::size_t longest = 0;
  for (const Language& language : table)
    for (const std::string& extension : split(language.extensions, ' '))
      if (file.ends_with(extension) && extension.size() > longest) {
        best = &language;
        longest = extension.size();
      }
  return best;
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

}  // namespace heddle::cli
