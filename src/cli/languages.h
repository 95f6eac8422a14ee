// The languages that Heddle reads. A language is one row of the table in languages.cpp and one file check_<name>.cpp
// beside it that wires front end, machines and engines together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/checker.h"

namespace heddle::cli {

struct Language {
  const char* name;
  const char* extensions;  // separated by blanks, each with its dot
  Checker checker;
  const char* models;          // all that it can be checked under, separated by commas (rows of models.cpp)
  const char* default_models;  // what runs without --model
  const char* ladder;          // what --model ladder means, from the strongest to the weakest
  const char* engines;         // separated by blanks, the default first
  const char* options;         // options of `check` it honours beside those that all languages share, by blanks
  const char* description;
  Runner runner = nullptr;  // in place of a checker; such a language also takes whole folders
};

std::span<const Language> languages();

// The language of a file by the longest extension that fits, or null.
const Language* language_of(std::string_view file);

// The parts of a list like "sc,tso" or ".c .cpp".
std::vector<std::string> split(std::string_view list, char separator);

}  // namespace heddle::cli
