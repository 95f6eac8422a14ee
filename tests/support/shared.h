// Corpora and published figures, which lie beside the checkout and are not part of it (`ground-truth/…` in comments is
// a path there). A test that uses them is skipped, visibly, where they are absent.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>
#include "support/places.h"

namespace heddle::tests {

// A file or folder of them, or an empty path where it is not there. HEDDLE_SHARED names another place for all of them.
inline std::filesystem::path shared(const std::string& path) {
  std::vector<std::string> places{tests::source_dir() + "/../shared", tests::source_dir() + "/../../shared"};
  if (const char* given = std::getenv("HEDDLE_SHARED")) places = {given};
  for (const std::string& place : places)
    if (auto found = std::filesystem::path(place) / path; std::filesystem::exists(found)) return found;
  return {};
}

}  // namespace heddle::tests
