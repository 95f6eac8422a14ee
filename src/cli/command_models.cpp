// `heddle models`: the memory models that some language can be checked under.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/languages.h"
#include "cli/models.h"

namespace heddle::cli {

namespace {

std::string languages_under(const char* model) {
  std::string names;
  for (const Language& language : languages()) {
    const std::vector<std::string> known = split(language.models, ',');
    if (std::find(known.begin(), known.end(), model) == known.end()) continue;
    if (!names.empty()) names += ", ";
    names += language.name;
  }
  return names;
}

}  // namespace

Action declare_models(CLI::App&) {
  return [] {
    fmt::print("{:<9}{:<9}{:<12}{}\n", "model", "given by", "contains", "what it is");
    for (const ModelRow& row : models()) {
      const std::string users = languages_under(row.name);
      if (users.empty()) continue;
      fmt::print("{:<9}{:<9}{:<12}{}\n{:30}for {}\n", row.name, row.kind, *row.contains ? row.contains : "-",
                 row.description, "", users);
    }
    fmt::print("\n\"contains\": every behaviour of those models is one of this model too. The order is partial.\n");
    return static_cast<int>(exit_safe);
  };
}

}  // namespace heddle::cli
