// Random Promela programs with stores, loads and fences: processes with loops over `bit a, b`, sync, compare-exchange.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <random>
#include <stdexcept>
#include <string>

#include "lang/promela/promela.h"
#include "support/protocols.h"

namespace heddle::tests {

struct RandomPromela {
  unsigned variables = 2;
  unsigned places = 3;             // of a process: 2 to places + 1
  const char* section = "atomic";  // what makes a compare-exchange: `d_step` is one step
};

inline std::string random_process(std::mt19937& random, unsigned number, const RandomPromela& kind) {
  const auto pick = [&](unsigned n) { return static_cast<unsigned>(random() % n); };
  const unsigned places = 2 + pick(kind.places);
  std::string text = fmt::format("active proctype P{}() {{\n", number);
  for (unsigned l = 0; l < places; ++l) {
    text += fmt::format("L{}: if\n", l);
    for (unsigned e = 0, count = 1 + pick(2); e < count; ++e) {
      const char variable = static_cast<char>('a' + pick(kind.variables));
      const unsigned value = pick(2), target = pick(3) == 0 ? pick(places + 1) : std::min(l + 1, places);
      switch (pick(9)) {
        case 0:
        case 1:
        case 2:
        case 3: text += fmt::format(":: store({}, {})", variable, value); break;
        case 4:
        case 5:
        case 6: text += fmt::format(":: load({}, {})", variable, value); break;
        case 7: text += ":: sync"; break;
        default:
          text += fmt::format(":: {} {{ {} == {} -> {} = {} }}", kind.section, variable, value, variable, 1 - value);
      }
      text += fmt::format(" -> goto L{}\n", target);
    }
    text += "fi;\n";
  }
  return text + fmt::format("L{}: skip\n}}\n", places);
}

// Is there a run to where everybody may be: some combination of labels and values?
inline Protocol random_program(std::mt19937& random, unsigned processes, const RandomPromela& kind = {}) {
  std::string text = "bit a, b;\n", bad;
  for (unsigned p = 0; p < processes; ++p) text += random_process(random, p, kind);
  for (unsigned p = 0; p < processes; ++p) {
    auto loaded = promela::load_text(text, "random.pml");
    if (!loaded) throw std::runtime_error(render(loaded.error()) + text);
    for (unsigned tries = 0; tries < 20; ++tries) {
      const std::string condition = fmt::format("P{}@L{}", p, random() % 5);
      if (!promela::add_proposition(*loaded, condition, "bad")) continue;
      bad += fmt::format("{}{}", bad.empty() ? "" : " && ", condition);
      break;
    }
  }
  return {text, bad + fmt::format(" && a == {} && b == {}", random() % 2, random() % 2), 0};
}

}  // namespace heddle::tests
