// `heddle languages`: what can be checked, and how.
// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdio>

#include "cli/commands.h"
#include "cli/languages.h"

namespace heddle::cli {

Action declare_languages(CLI::App&) {
  return [] {
    for (const Language& language : languages()) {
      fmt::print("{} ({})\n    {}\n", language.name, language.extensions, language.description);
      fmt::print("    models   {}; without --model: {}; ladder: {}\n", language.models, language.default_models,
                 language.ladder);
      fmt::print("    engines  {}\n    options  {}\n", language.engines, language.options);
    }
    return static_cast<int>(exit_safe);
  };
}

}  // namespace heddle::cli
