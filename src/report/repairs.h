// What `repair` answers, as lines for people and as JSON (docs/json.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/verdict.h"

namespace heddle::report {

// One thing to change.
struct RepairPlace {
  std::string file;
  unsigned line = 0, column = 0;  // 0: not known
  std::string what;               // "load acquire instead of relaxed"
};

struct Repair {
  std::string model;                                  // several, by commas, if it is for all of them
  core::Outcome outcome = core::Outcome::Unknown;     // Safe: as it is, or as repaired. Unsafe: no repair helps
  std::string summary;                                // in one line
  std::vector<RepairPlace> places;                    // what is changed
  std::vector<std::vector<RepairPlace>> others;       // other smallest sets
  std::vector<std::string> notes;                     // beside it: bounds, what is not known, what a patch cannot do
  std::string text;                                   // of the program that is safe; C: a unified diff
  std::string no_text;                                // why there is none, if so
  std::vector<std::vector<std::string>> sets;         // all smallest sets, if asked for: names of their members
  std::vector<std::vector<std::string>> constraints;  // the proof: every repair has a member of each
  std::optional<std::uint64_t> cost;                  // of the set, or of the best one known
  std::uint64_t lower_bound = 0;                      // no repair costs less
  unsigned checks = 0;
};

std::string text_of(const RepairPlace&);  // "file:line:column: what"
std::string text_of(const std::vector<Repair>&);
std::string json_of(const std::vector<std::string>& files, const std::vector<Repair>&);

}  // namespace heddle::report
