// `heddle models` and `heddle languages`: what can be checked, under what, and how.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "drive/languages.h"
#include "models/models.h"

namespace heddle::cli {

namespace {

std::string languages_under(std::string_view model) {
  std::vector<std::string_view> names;
  for (const drive::Language& language : drive::languages()) {
    const std::vector<std::string> known = drive::split(language.models, ',');
    if (std::ranges::find(known, model) != known.end()) names.emplace_back(language.name);
  }
  return fmt::format("{}", fmt::join(names, ", "));
}

const char* given_by(const models::Model& model) {
  return model.machine == nullptr ? "axioms" : model.axioms == nullptr ? "machine" : "both";
}

}  // namespace

Action declare_models(CLI::App&) {
  return [] {
    fmt::print("{:<9}{:<9}{:<12}{}\n", "model", "given by", "contains", "what it is");
    for (const models::Model& row : models::all())
      fmt::print("{:<9}{:<9}{:<12}{}\n{:30}for {}\n", row.name, given_by(row),
                 row.contains.empty() ? "-" : row.contains, row.summary, "", languages_under(row.name));
    fmt::print("\n\"contains\": every behaviour of those models is one of this model too. The order is partial.\n");
    return static_cast<int>(exit_safe);
  };
}

Action declare_languages(CLI::App&) {
  return [] {
    for (const drive::Language& language : drive::languages()) {
      fmt::print("{} ({})\n    {}\n", language.name, language.extensions, language.description);
      fmt::print("    models   {}; without --model: {}; ladder: {}\n", language.models, language.default_models,
                 language.ladder);
      fmt::print("    engines  {}\n    options  {}\n", language.engines, language.options);
    }
    return static_cast<int>(exit_safe);
  };
}

}  // namespace heddle::cli
